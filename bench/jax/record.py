# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A pytest plug-in for suites.py: every test's beginning and outcome, a line of JSON each, written before the next begins, so that a crash loses none."""

import json
import os

OUT = open(os.environ["ECHO_SUITES_OUT"], "a", buffering=1)
DONE = set(open(os.environ["ECHO_SUITES_DONE"]).read().splitlines())


FIRST, STEP = (int(number) for number in os.environ.get("ECHO_SUITES_SLICE", "0/1").split("/"))


def pytest_collection_modifyitems(items):
    items[:] = [item for item in items[FIRST::STEP] if item.nodeid not in DONE]


def pytest_runtest_logstart(nodeid):
    OUT.write(json.dumps({"id": nodeid, "outcome": "crashed"}) + "\n")


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr or "")
        OUT.write(json.dumps({"id": report.nodeid, "outcome": report.outcome, "why": why[-4000:]}) + "\n")
