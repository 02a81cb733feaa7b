# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how many lines of each folder the last run of an instrumented build reached.

usage: coverage.py BUILD-DIRECTORY
"""

import collections
import json
import os
import pathlib
import subprocess
import sys

build = pathlib.Path(sys.argv[1]).resolve()
root = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("base", "ir", "dialects", "planning", "lowering", "echo_pass", "codegen", "jit", "tools")

counts = collections.defaultdict(dict)  # file -> line -> times executed
for data in build.rglob("*.gcda"):
    output = subprocess.run(
        ["gcov", "--json-format", "--stdout", str(data)], cwd=build, capture_output=True, check=True
    ).stdout
    for report in output.splitlines():
        for file in json.loads(report)["files"]:
            path = os.path.relpath(os.path.join(build, file["file"]), root)
            for line in file["lines"]:
                lines = counts[path]
                lines[line["line_number"]] = lines.get(line["line_number"], 0) + line["count"]

for folder in FOLDERS:
    lines = [n for path, hits in counts.items() if path.startswith(folder + "/") for n in hits.values()]
    if lines:
        reached = sum(n > 0 for n in lines)
        print(f"{folder:10} {reached:6} of {len(lines):6} lines  {100 * reached / len(lines):5.1f} %")
