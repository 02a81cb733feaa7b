# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads lit's JSON report and prints how many tests passed and failed. A report without tests is a failure."""

import json
import sys

FINE = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "EXCLUDED", "SKIPPED"}

with open(sys.argv[1], encoding="utf-8") as report:
    codes = [test["code"] for test in json.load(report)["tests"]]
passed = sum(code in FINE for code in codes)
failed = sum(code not in FINE and code not in SKIPPED for code in codes)
print(passed, failed if codes else 1)
