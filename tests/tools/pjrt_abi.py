#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds pjrt/abi.h, pjrt/ffi_abi.h and pjrt/layouts_abi.h against the published headers: pjrt_abi.py [INCLUDE INCLUDE].

Sizes of structs, offsets of fields, numbers of enumerators and the order of the table, as a C compiler sees them in either
header. The published ones come with two wheels, jaxlib's and TensorFlow's; without their folders, these are fetched from PyPI.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import venv
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The first that has a header counts: TensorFlow has an older xla/ffi.
WHEELS = {
    "jaxlib==0.10.2": ("jaxlib/include", ["xla/ffi/api/c_api.h"]),
    "tensorflow-cpu==2.21.0": ("tensorflow/include", ["xla/pjrt/c/pjrt_c_api.h", "xla/pjrt/c/pjrt_c_api_ffi_extension.h", "xla/pjrt/c/pjrt_c_api_layouts_extension.h"]),
}
XLA_FFI, PJRT, EXTENSION, LAYOUTS = (header for _, headers in WHEELS.values() for header in headers)
PUBLISHED = {"abi.h": [PJRT], "ffi_abi.h": [EXTENSION, XLA_FFI], "layouts_abi.h": [LAYOUTS]}


def questions(header):
    text = re.sub(r"/\*.*?\*/", "", (ROOT / "pjrt" / header).read_text(), flags=re.S)
    for name, body in re.findall(r"typedef struct ((?:PJRT|XLA_FFI)_\w+) \{(.*?)\n\} \1;", text, re.S):
        if name == "PJRT_Extension_Base":
            continue
        yield f"sizeof({name})"
        body = re.sub(r"\bstruct \{.*?\} (\w+);", r"\1;", body, flags=re.S)
        fields = re.sub(r"\bunion \{|\};", "", body)
        for field in re.findall(r"(\w+)(?:\)\([^;]*\))?;", fields):
            if field not in ("PJRT_HEAD", "XLA_FFI_HEAD", "name"):
                yield f"offsetof({name}, {field})"
    for body in re.findall(r"typedef enum \{(.*?)\}", text, re.S):
        yield from (f"(size_t){word}" for word in re.findall(r"\b((?:PJRT|XLA_FFI)_\w+)", body))
    table = re.search(r"#define PJRT_FUNCTIONS\(X\)(.*?)\n\n", text, re.S)
    yield from (f"offsetof(PJRT_Api, {name})" for name in re.findall(r"X\((\w+)\)", table[1] if table else ""))


def answers(headers, includes, asked):
    with tempfile.TemporaryDirectory() as scratch:
        source = pathlib.Path(scratch) / "ask.c"
        lines = "".join(f'  printf("%zu\\n", {question});\n' for question in asked)
        included = "".join(f'#include "{header}"\n' for header in headers)
        source.write_text(f"#include <stdio.h>\n{included}int main(void)\n{{\n{lines}}}\n")
        program = pathlib.Path(scratch) / "ask"
        subprocess.run(["cc", "-w", *(f"-I{include}" for include in includes), "-o", program, source], check=True)
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()


def fetch(directory):
    """The published headers, without the other 400 MB of their wheels."""
    venv.create(directory / "venv", with_pip=True)
    pip = [directory / "venv/bin/python", "-m", "pip", "--disable-pip-version-check"]
    for name, (include, headers) in WHEELS.items():
        to = directory / include.split("/")[0]
        subprocess.run(
            [*pip, "download", "-q", "--no-deps", "--only-binary", ":all:", "--python-version", "3.11", name, "-d", to], check=True
        )
        with zipfile.ZipFile(next(to.glob("*.whl"))) as wheel:
            for header in headers:
                wheel.extract(f"{include}/{header}", directory)
        yield directory / include


def main():
    if len(sys.argv) not in (1, 3):
        raise SystemExit(__doc__)
    n_asked = n_wrong = 0
    with tempfile.TemporaryDirectory() as directory:
        includes = [pathlib.Path(include).resolve() for include in sys.argv[1:] or fetch(pathlib.Path(directory))]
        for own, published in PUBLISHED.items():
            asked = list(questions(own))
            answered = zip(asked, answers([f"pjrt/{own}"], [ROOT], asked), answers(published, includes, asked))
            wrong = [(question, a, b) for question, a, b in answered if a != b]
            for question, a, b in wrong:
                print(f"{question}: {a}, published {b}")
            n_asked, n_wrong = n_asked + len(asked), n_wrong + len(wrong)
    print(f"{n_asked} questions, {n_wrong} differences")
    raise SystemExit(1 if n_wrong else 0)


main()
