# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py [--before=BUILD] [--check] BUILD FOLDER: temporaries that Echo plans for each step of a folder that steps_jax.py has filled,
without recompute, beside XLA's on the CPU; how many copies are left, and with --check how far results are from JAX's. Plans depend
on no machine."""
import argparse
import json
import pathlib
import re
import subprocess


def plan(build, step):
    """Arena in MB, and the number of copies; None where the step is refused."""
    done = subprocess.run([build / "bin/echo-opt", step, "--to=planned", "-o", "-"], check=False, text=True, capture_output=True, timeout=300)
    if done.returncode != 0:
        return None
    return int(re.search(r"plan.temp_bytes = (\d+)", done.stdout).group(1)) / 1e6, len(re.findall(r'"?plan\.copy"?', done.stdout))


def check(build, step):
    """Whether results are JAX's within what a different order of sums and other elementary functions may change."""
    inputs, results = step.with_suffix(".in.npz"), step.with_suffix(".out.npz")
    done = subprocess.run([build / "bin/echo-run", step, f"--inputs={inputs}", f"--expect={results}", "--rtol=2e-3", "--atol=2e-4", "--quiet"],
                          check=False, text=True, capture_output=True, timeout=300)
    return "yes" if done.returncode == 0 else "no: " + (done.stderr.strip().splitlines() or ["?"])[-1][:120]


def cell(found):
    return "refused | " if found is None else f"{found[0]:.2f} | {found[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    xla = json.loads((options.folder / "xla.json").read_text())
    builds = ([options.before] if options.before else []) + [options.build]
    before = " before | copies |" if options.before else ""
    print(f"| step | XLA |{before} Echo | copies | beside XLA |" + (" as JAX |" if options.check else ""))
    print("| --- |" + " --: |" * (4 + 2 * (len(builds) - 1) + options.check))
    for name, facts in xla.items():
        step = options.folder / f"{name}.mlir"
        found = [plan(build, step) for build in builds]
        theirs = facts["xla_temp_bytes"] / 1e6
        ratio = f"{found[-1][0] / theirs:.2f}" if found[-1] and theirs >= 0.01 else ""
        checked = f" {check(options.build, step)} |" if options.check else ""
        print(f"| {name} | {theirs:.2f} | " + " | ".join(cell(entry) for entry in found) + f" | {ratio} |{checked}", flush=True)


main()
