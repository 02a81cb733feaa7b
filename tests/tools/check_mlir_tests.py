#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR's own tests as inputs for the text form: what mlir-opt-19 prints back unchanged, echo-opt prints back unchanged.

usage: check_mlir_tests.py [--cache=DIRECTORY] [--list] BUILD-DIRECTORY MLIR-TEST-DIRECTORY [WORD-OF-A-PATH ...]

Takes the folder mlir/test of LLVM's sources (Debian: `apt-get source --download-only llvm-toolchain-19`, then `tar xf ARCHIVE
--wildcards '*/mlir/test/*'`). Each file is cut at "// -----". mlir-opt-19 prints each piece in generic form, in each of
VARIANTS, and once more behind the passes of each simple RUN line. Of these texts, those that it takes and gives back byte
for byte are the cases; echo-opt, with the same options, must give each back too. Failures are counted by message.
--list shows every failing case; --cache keeps what mlir-opt-19 said for the next run. mlir_tests_excepted.txt, beside
this script, names the pieces that may fail, with the reason; one that passes there is a problem as well.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
GENERIC = ["--allow-unregistered-dialect", "--mlir-print-op-generic"]
VARIANTS = {
    "generic": [],
    "locations": ["--mlir-print-debuginfo"],
    "local": ["--mlir-print-debuginfo", "--mlir-print-local-scope"],
}
RUN = re.compile(rb"^\s*//\s*RUN:(.*)$", re.M)
# Options of RUN lines that say how a file is read or checked: they choose no pass.
NOT_A_PASS = re.compile(
    r"--?(split-input-file|verify-diagnostics|allow-unregistered-dialect|mlir-print-op-generic|mlir-print-debuginfo"
    r"|mlir-print-local-scope|mlir-use-nameloc-as-prefix|mlir-very-unsafe-disable-verifier-on-parsing|emit-bytecode)\b.*"
)
UNSAFE = re.compile(r"[|<>;&$`%]|-reproducer|-o$|--?o=|dump|debug|timing|statistics|print-ir|report|output|profile|plugin")


def output_or_none(command, text):
    try:
        done = subprocess.run(command, input=text, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 else None


def pass_lines(text):
    """The options of each RUN line that is a plain mlir-opt with passes."""
    joined = re.sub(rb"\\\n\s*//\s*RUN:", b" ", b"\n".join(b"// RUN:" + line for line in RUN.findall(text)))
    found = []
    for line in joined.replace(b"// RUN:", b"").decode(errors="replace").splitlines():
        try:
            words = shlex.split(line.split("|")[0].replace("%s", " "))
        except ValueError:
            continue
        options = [word for word in words[1:] if not NOT_A_PASS.fullmatch(word)]
        if words[:1] == ["mlir-opt"] and options and not any(UNSAFE.search(word) for word in options):
            if options not in found:
                found.append(options)
    return found


class Oracle:
    """What mlir-opt-19 makes of a piece, remembered in a folder when there is one."""

    def __init__(self, cache):
        self.cache = pathlib.Path(cache) if cache else None
        if self.cache:
            self.cache.mkdir(parents=True, exist_ok=True)

    def case_or_none(self, piece, flags, passes):
        """The generic text of `piece`, when mlir-opt takes that text and gives it back as it was."""
        key = hashlib.sha256("\0".join([*flags, *passes, ""]).encode() + piece).hexdigest()
        path = self.cache / key if self.cache else None
        if path and path.exists():
            return path.read_bytes() or None
        text = output_or_none(["mlir-opt-19", *GENERIC, *flags, *passes, "-"], piece)
        if text is not None and output_or_none(["mlir-opt-19", *GENERIC, *flags, "-"], text) != text:
            text = None
        if path:
            path.write_bytes(text or b"")
        return text


def cases_of(oracle, root, path):
    text = path.read_bytes()
    passes = pass_lines(text)
    found = []
    for i, piece in enumerate(re.split(rb"^// ?-----.*$", text, flags=re.M)):
        name = f"{path.relative_to(root)}:{i}"
        for variant, flags in VARIANTS.items():
            found.append((f"{name}:{variant}", flags, oracle.case_or_none(piece, flags, [])))
        for j, options in enumerate(passes):
            found.append((f"{name}:passes{j}", [], oracle.case_or_none(piece, [], options)))
    return [case for case in found if case[2] is not None]


def message_class(stderr):
    """The first error without its position, names and numbers."""
    lines = stderr.decode(errors="replace").splitlines()
    first = next((line for line in lines if "error:" in line), lines[-1] if lines else "died silently")
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'", "'…'", first.split("error:", 1)[-1].strip()))[:120]


def failure_of(echo_opt, case):
    """("", "") for a case that echo-opt gives back unchanged, else the class of the failure and what was seen."""
    _, flags, text = case
    try:
        done = subprocess.run([echo_opt, *GENERIC, *flags, "-"], input=text, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "takes longer than a minute", ""
    if done.returncode != 0:
        seen = done.stderr.decode(errors="replace")[:600]
        return (f"rejected: {message_class(done.stderr)}" if done.returncode == 1 else "crashes"), seen
    if done.stdout == text:
        return "", ""
    pairs = zip(text.splitlines() + [b"(end)"], done.stdout.splitlines() + [b"(end)"])
    want, got = next((pair for pair in pairs if pair[0] != pair[1]), (b"", b""))
    return "printed otherwise", f"  mlir-opt: {want.decode(errors='replace')[:300]}\n  echo-opt: {got.decode(errors='replace')[:300]}"


def exceptions():
    """Names of pieces ("FILE:NUMBER") that may fail."""
    lines = (HERE / "mlir_tests_excepted.txt").read_text().splitlines()
    return {line.split(" ", 1)[0] for line in lines if line and not line.startswith("#")}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cache")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("build")
    parser.add_argument("tests")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    root = pathlib.Path(options.tests).resolve()
    paths = [
        path
        for path in sorted(root.rglob("*.mlir"))
        if path.is_file() and (not options.words or any(word in str(path) for word in options.words))
    ]
    echo_opt = str(pathlib.Path(options.build).resolve() / "bin" / "echo-opt")
    oracle = Oracle(options.cache)
    excepted = exceptions()
    classes = collections.defaultdict(list)
    n_cases = n_excepted = 0
    failed, passed = set(), set()  # excepted pieces
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        cases = [case for found in pool.map(lambda path: cases_of(oracle, root, path), paths) for case in found]
        for case, (kind, seen) in zip(cases, pool.map(lambda case: failure_of(echo_opt, case), cases)):
            n_cases += 1
            piece = case[0].rsplit(":", 1)[0]
            if piece in excepted:
                (failed if kind else passed).add(piece)
                n_excepted += kind != ""
            elif kind:
                classes[kind].append((case[0], seen))
    unused = sorted(passed - failed)
    for kind, failures in sorted(classes.items(), key=lambda item: -len(item[1])):
        print(f"{len(failures):6} {kind}")
        for name, seen in failures if options.list else failures[:1]:
            print(f"       {name}\n{seen}")
    for name in unused:
        print(f"{name}: passes, though mlir_tests_excepted.txt excepts it")
    n_failures = sum(map(len, classes.values()))
    print(f"{len(paths)} files, {n_cases} cases, {n_excepted} excepted, {n_failures} failures")
    sys.exit(1 if n_failures or unused or not n_cases else 0)


main()
