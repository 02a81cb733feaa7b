# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""suites.py CHECKOUT WHEEL [DIRECTORY] [--files=lax_test,nn_test] [--platform=echo|cpu] [--cases=N] [--devices=N] [--slice=I/N] [--only=PATTERN]
    [--timeout=SECONDS] [--json=FILE]

JAX's own tests on Echo, from a checkout of its repository at the version that requirements.txt pins. Makes an environment in DIRECTORY (build/jax),
runs every file in a process of its own (a test that ends the process counts as crashed, the others go on), and prints the tests passed, skipped, failed
and crashed of each file, and each reason of a failure with its number and a test that shows it. N is how many cases of each parametrised test are drawn
(JAX's own default, 10). With --slice=I/N every N-th test from the I-th on is run, for files too long to be run whole. With --devices there are so many of them, for files such as pmap_test and shard_map_test. With --platform=cpu the same on JAX's
own CPU back end, for what fails there too."""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import tempfile

import environment

FILES = "lax_test,lax_numpy_test,nn_test,lax_control_flow_test,api_test,random_lax_test,linalg_test,fft_test"
HERE = pathlib.Path(__file__).resolve().parent


def outcomes_of(lines):
    """The last word on each test: its beginning says crashed, until a report follows."""
    tests = {}
    for line in lines:
        test = json.loads(line)
        if test["outcome"] != "passed" or tests.get(test["id"], {}).get("outcome") == "crashed":
            tests[test["id"]] = test
    return tests


def run(python, args, name):
    with tempfile.TemporaryDirectory() as directory:
        out, done = pathlib.Path(directory, "out"), pathlib.Path(directory, "done")
        out.touch()
        done.touch()
        env = {**os.environ, "JAX_PLATFORMS": f"{args.platform},cpu", "JAX_NUM_GENERATED_CASES": str(args.cases), "PYTHONPATH": str(HERE),
               "ECHO_SUITES_OUT": str(out), "ECHO_SUITES_DONE": str(done), "ECHO_SUITES_SLICE": args.slice}
        if args.devices:
            env |= {"ECHO_CPU_DEVICES": str(args.devices), "XLA_FLAGS": f"--xla_force_host_platform_device_count={args.devices}"}
        command = [python, "-m", "pytest", "-q", "-p", "record", "-p", "no:cacheprovider", f"--timeout={args.timeout}", "--timeout-method=thread",
                   f"tests/{name}.py", *(["-k", args.only] if args.only else [])]
        while True:
            before = set(done.read_text().splitlines())
            result = subprocess.run(command, cwd=args.checkout, env=env, capture_output=True, text=True)
            tests = outcomes_of(out.read_text().splitlines())
            done.write_text("\n".join(tests))
            is_cut_off = any(test["outcome"] == "crashed" for name, test in tests.items() if name not in before)
            if result.returncode in (0, 1, 5) and not is_cut_off:  # a time limit ends pytest with 1
                return tests
            if before.issuperset(tests):
                raise SystemExit(f"{name}: pytest ended with {result.returncode}: {(result.stdout + result.stderr)[-2000:]}")


def reason(test):
    """The last line that names an error, without what differs from case to case."""
    if test["outcome"] == "crashed":
        return "the process ended, or the time limit"
    lines = [line[2:].strip() for line in test["why"].splitlines() if line.startswith("E ")]
    errors = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Failure|Warning)\b|.*: error: ", line)] or lines or test["why"].splitlines() or ["?"]
    text = re.sub(r"<[^<>]*>|'[^']*'|0x[0-9a-f]+", "…", errors[-1])
    return re.sub(r"-?\d[\d.e+-]*", "N", text)[:150]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("wheel")
    parser.add_argument("directory", type=pathlib.Path, nargs="?", default=pathlib.Path("build/jax"))
    parser.add_argument("--files", default=FILES)
    parser.add_argument("--platform", default="echo")
    parser.add_argument("--cases", type=int, default=10)
    parser.add_argument("--devices", type=int)
    parser.add_argument("--slice", default="0/1")
    parser.add_argument("--only")
    parser.add_argument("--timeout", type=int, default=300)
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    python = environment.make(args.wheel, args.directory, "absl-py", "flatbuffers", "hypothesis", "pytest", "pytest-timeout", "scipy")
    everything, reasons, examples = {}, collections.Counter(), {}
    print("| file | tests | passed | skipped | failed | crashed |\n| --- | --: | --: | --: | --: | --: |", flush=True)
    for name in args.files.split(","):
        tests = run(python, args, name)
        count = collections.Counter(test["outcome"] for test in tests.values())
        print(f"| {name} | {len(tests)} | {count['passed']} | {count['skipped']} | {count['failed']} | {count['crashed']} |", flush=True)
        everything[name] = list(tests.values())
        for test in tests.values():
            if test["outcome"] in ("failed", "crashed"):
                reasons[reason(test)] += 1
                examples.setdefault(reason(test), test["id"])
    print("\n| tests | reason | one of them |\n| --: | --- | --- |")
    for text, number in reasons.most_common():
        print(f"| {number} | {text.replace('|', '/')} | `{examples[text].split('::', 1)[-1]}` |")
    if args.json:
        args.json.write_text(json.dumps(everything, indent=1))


main()
