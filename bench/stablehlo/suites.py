# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""suites.py CHECKOUT [--build=DIR] [--jobs=N] [--device=cpu,interpreter] [--only=WORD] [--reasons]: StableHLO's published suites, from a checkout of
its repository, through echo-run --check (testdata, tests/interpret, tests/math) and echo-opt (verify_*, ops_stablehlo*, print_*: what must be rejected is
rejected at the same line, what is valid is read). Prints a table of passed, failed and refused by suite; with --reasons what is refused, by its first error."""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess
import tempfile

SELF_CHECKING = {"testdata, static": "stablehlo/testdata/*.mlir", "testdata, dynamic": "stablehlo/testdata/*_dynamic*.mlir",
                 "tests/interpret": "stablehlo/tests/interpret/**/*.mlir", "tests/math": "stablehlo/tests/math/*.mlir"}
READ = {"tests/verify_*": "stablehlo/tests/verify_*.mlir", "tests/ops_stablehlo*": "stablehlo/tests/ops_stablehlo*.mlir",
        "tests/print_*": "stablehlo/tests/print_*.mlir"}
ERROR = re.compile(r":(\d+):\d+: error: (.*)")


def reason(stderr):
    """The first error, without what differs from file to file."""
    found = ERROR.search(stderr)
    text = found.group(2) if found else (stderr.strip().splitlines() or ["nothing said"])[-1]
    return re.sub(r"\d+", "N", re.sub(r"'(tensor|memref)<[^']*>'", "'TYPE'", text))[:110]


def check(args, path, device):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [args.build / "bin/echo-run", "--check", f"--device={device}", "--threads=1", f"--json={out.name}", path]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return ["failed"], "takes more than two minutes"
        try:
            outcomes = [entry["outcome"] for entry in json.load(open(out.name))]
        except json.JSONDecodeError:
            outcomes = ["crashed"]
    return outcomes, "" if run.returncode == 0 else reason(run.stderr)


def sections(text):
    return re.split(r"(?m)^// -----.*$", text)


def expected_lines(section):
    """Lines of the section that an error is expected at; None where any line will do."""
    lines = set()
    for number, line in enumerate(section.split("\n"), 1):
        for offset in re.findall(r"expected-error(?:-re)?\s*(@[+-]\d+|@\S+)?", line):
            if not offset:
                lines.add(number)
            elif re.fullmatch(r"@[+-]\d+", offset):
                lines.add(number + int(offset[1:]))
            else:
                lines.add(0)
    return lines


def read(args, path):
    outcomes, reasons, text = [], [], path.read_text()
    command = [args.build / "bin/echo-opt", "-", "-o", "/dev/null"]
    if re.search(r"(?m)^// RUN:.*-allow-unregistered-dialect", text):
        command.append("--allow-unregistered-dialect")
    for section in sections(text):
        if not section.strip():
            continue
        run = subprocess.run(command, input=section, capture_output=True, text=True, timeout=120)
        wanted = expected_lines(section)
        said = {int(line) for line, _ in ERROR.findall(run.stderr)}
        if not wanted:
            outcomes.append("passed" if run.returncode == 0 else "failed")
        elif run.returncode == 0:
            outcomes.append("failed")
        else:
            outcomes.append("passed" if 0 in wanted or said & wanted else "failed")
        if outcomes[-1] == "failed":
            reasons.append("accepted: " + (re.search(r"(?s)expected-error[^{]*\{\{(.*?)\}\}", section) or [0, "?"])[1][:90] if wanted and run.returncode == 0
                           else reason(run.stderr) if not wanted else "another line: " + reason(run.stderr))
    return outcomes, reasons


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--device", default="cpu,interpreter")
    parser.add_argument("--only", default="")
    parser.add_argument("--reasons", action="store_true")
    args = parser.parse_args()
    rows, why = [], collections.Counter()
    pool = concurrent.futures.ThreadPoolExecutor(args.jobs)
    for suite, pattern in SELF_CHECKING.items():
        paths = sorted(p for p in args.checkout.glob(pattern) if args.only in str(p) and "_dynamic" not in p.name or suite.endswith("dynamic"))
        for device in args.device.split(","):
            count = collections.Counter()
            for path, (outcomes, said) in zip(paths, pool.map(lambda p: check(args, p, device), paths)):
                count.update(outcomes)
                if said:
                    why[suite, device, said] += 1
                    if args.reasons:
                        print(f"  {path.name}: {said}")
            rows.append((suite, device, count))
    for suite, pattern in READ.items():
        count, paths = collections.Counter(), sorted(p for p in args.checkout.glob(pattern) if args.only in str(p))
        for path, (outcomes, said) in zip(paths, pool.map(lambda p: read(args, p), paths)):
            count.update(outcomes)
            for text in said:
                why[suite, "reader", text] += 1
        rows.append((suite, "reader", count))
    print("| suite | on | passed | failed | refused | of |\n| --- | --- | --: | --: | --: | --: |")
    for suite, device, count in rows:
        if count:
            failed = count["failed"] + count["crashed"]
            print(f"| {suite} | {device} | {count['passed']} | {failed} | {count['refused']} | {sum(count.values())} |")
    if args.reasons:
        print("\nFiles that do not pass, by the first error:\n")
        for (suite, device, text), n in sorted(why.items(), key=lambda item: (item[0][:2], -item[1])):
            print(f"- {suite}, {device}: {n}: {text}")


if __name__ == "__main__":
    main()
