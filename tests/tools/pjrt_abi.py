#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds pjrt/abi.h against the published header: pjrt_abi.py [PATH/TO/pjrt_c_api.h].

Sizes of structs, offsets of fields, numbers of enumerators and the order of the table, as a C compiler sees them in either
header. The published one comes with a wheel; without a path, that is fetched from PyPI.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import venv
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WHEEL = "tensorflow-cpu==2.21.0"
HEADER = "tensorflow/include/xla/pjrt/c/pjrt_c_api.h"


def questions():
    text = re.sub(r"/\*.*?\*/", "", (ROOT / "pjrt/abi.h").read_text(), flags=re.S)
    for name, body in re.findall(r"typedef struct (PJRT_\w+) \{(.*?)\n\} \1;", text, re.S):
        if name == "PJRT_Extension_Base":
            continue
        yield f"sizeof({name})"
        fields = re.sub(r"\bunion \{|\};", "", body)
        for field in re.findall(r"(\w+)(?:\)\([^;]*\))?;", fields):
            if field not in ("PJRT_HEAD", "name"):
                yield f"offsetof({name}, {field})"
    for body in re.findall(r"typedef enum \{(.*?)\}", text, re.S):
        yield from (f"(size_t){word}" for word in re.findall(r"\b(PJRT_\w+)", body))
    table = re.search(r"#define PJRT_FUNCTIONS\(X\)(.*?)\n\n", text, re.S)[1]
    yield from (f"offsetof(PJRT_Api, {name})" for name in re.findall(r"X\((\w+)\)", table))


def answers(header, asked):
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / "ask.c"
        lines = "".join(f'  printf("%zu\\n", {question});\n' for question in asked)
        source.write_text(f'#include <stdio.h>\n#include "{header}"\nint main(void)\n{{\n{lines}}}\n')
        program = pathlib.Path(scratch) / "ask"
        subprocess.run(["cc", "-w", "-o", program, source], check=True)
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()


def fetch(directory):
    """The published header, without the other 270 MB of its wheel."""
    venv.create(directory / "venv", with_pip=True)
    pip = [directory / "venv/bin/python", "-m", "pip", "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "download", "-q", "--no-deps", "--only-binary", ":all:", "--python-version", "3.11", WHEEL, "-d", directory],
        check=True,
    )
    with zipfile.ZipFile(next(directory.glob("*.whl"))) as wheel:
        return wheel.extract(HEADER, directory)


def main():
    if len(sys.argv) > 2:
        raise SystemExit(__doc__)
    asked = list(questions())
    ours = answers(ROOT / "pjrt/abi.h", asked)
    with tempfile.TemporaryDirectory() as directory:
        header = sys.argv[1] if len(sys.argv) == 2 else fetch(pathlib.Path(directory))
        theirs = answers(pathlib.Path(header).resolve(), asked)
    wrong = [(q, a, b) for q, a, b in zip(asked, ours, theirs) if a != b]
    for question, a, b in wrong:
        print(f"{question}: {a}, published {b}")
    print(f"{len(asked)} questions, {len(wrong)} differences")
    raise SystemExit(1 if wrong else 0)


main()
