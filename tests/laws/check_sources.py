# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The laws that can be read off the sources (docs: the folders and which may include which).

- Includes are written from the repository root and go one way:
  base <- ir <- dialects <- planning <- {lowering, echo_pass, codegen} <- jit <- {echo, pjrt} <- tools, samples.
- ir/ names no dialect but builtin, whose module holds everything.
- malloc and its kin stand in base/ alone; nothing below tools/ prints or exits, but for the two default handlers and what
  is asked for by who works on the compiler.
- dlopen lives in jit/ and tools/, llvm-c in codegen/ and jit/.
- A header that ends in _t.h is private to its top-level folder (and to the tests); every other is installed.
- Headers have guards (installed ones extern "C", too), files their licence, folders of the library a README.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LEVELS = {
    "base": 0,
    "ir": 1,
    "dialects": 2,
    "planning": 3,
    "lowering": 4,
    "echo_pass": 4,
    "codegen": 4,
    "jit": 5,
    "echo": 6,
    "pjrt": 6,
    "tools": 7,
    "samples": 7,
}
LIBRARY = [folder for folder, level in LEVELS.items() if level < 7]
DIALECTS = "func stablehlo chlo nn kernel plan arith math scf memref vector gpu nvgpu".split()
# The handlers that stand in until a tool installs its own, what ECHO_DEBUG asks for, and the dump for debuggers.
MAY_PRINT = {"base/panic.c", "base/memory.c", "base/debug.c", "ir/op_dump.c"}

COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.M)
HEAP = re.compile(
    r"(?<![\w.>])(malloc|calloc|realloc|reallocarray|free|strdup|strndup|asprintf|vasprintf"
    r"|aligned_alloc|posix_memalign|getline|open_memstream)\s*\("
)
PRINT = re.compile(
    r"(?<![\w.>])(printf|vprintf|fprintf|vfprintf|puts|fputs|putchar|putc|fputc|perror|exit|_exit"
    r"|quick_exit|abort|system)\s*\(|\b(stdout|stderr)\b"
)
# "memref" and "vector" alone are types of builtin.
DIALECT_NAME = re.compile(r'"(?!(?:memref|vector)")(?:%s)(?:\.[^"]*)?"' % "|".join(DIALECTS))

DIRECTIVE = re.compile(r"^\s*#(?:.*\\\n)*.*$", re.M)
EXTERN_C = re.compile(
    r'#ifdef __cplusplus\nextern "C" \{\n#endif\n.*#ifdef __cplusplus\n\}\n#endif\n\n#endif\n\Z', re.S
)
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"

problems = []


def report(path, text, position, message):
    line = text.count("\n", 0, position) + 1
    problems.append(f"{path.relative_to(ROOT)}:{line}: {message}")


def blank(match):
    """Comments and strings become spaces, so that positions stay."""
    return re.sub(r"[^\n]", " ", match.group())


def blank_comment(match):
    return match.group() if match.group()[0] in "\"'" else blank(match)


def check_include(path, folder, text, match):
    quote, name = match.groups()
    if quote == "<":
        if name.startswith("llvm-c/") and folder not in ("codegen", "jit"):
            report(path, text, match.start(), "llvm-c is included by codegen/ and jit/ only")
        if name == "dlfcn.h" and folder not in ("jit", "tools", "tests"):
            report(path, text, match.start(), "dlopen lives in jit/ and tools/ only")
        return
    target = name.split("/")[0]
    if name.endswith("_t.h") and target != folder and folder != "tests":
        report(path, text, match.start(), f'"{name}" is private to {target}/')
    if "/" not in name or not (ROOT / name).is_file():
        report(path, text, match.start(), f'"{name}" is not a path from the repository root')
    elif folder == "tests" or target == folder:
        return
    elif target not in LEVELS or LEVELS[target] >= LEVELS[folder]:
        report(path, text, match.start(), f"{folder}/ may not include {target}/")


def check_file(path, folder):
    text = path.read_text(encoding="utf-8")
    with_strings = COMMENT_OR_STRING.sub(blank_comment, text)
    code = COMMENT_OR_STRING.sub(blank, text)
    for match in INCLUDE.finditer(with_strings):
        check_include(path, folder, text, match)
    if path.suffix == ".h" and not re.search(r"#ifndef ECHO_\w+_H\b", code):
        report(path, text, 0, "a header without an include guard")
    if folder in LIBRARY and path.suffix == ".h" and not path.name.endswith("_t.h"):
        if DIRECTIVE.sub("", code).strip() and not EXTERN_C.search(text):
            report(path, text, 0, 'an installed header without extern "C" around its declarations')
    if LICENCE not in text[:200]:
        report(path, text, 0, "no SPDX line")
    if folder in LIBRARY and folder != "base":
        for match in HEAP.finditer(code):
            report(path, text, match.start(), f"{match.group(1)} outside of base/")
    if folder in LIBRARY and str(path.relative_to(ROOT)) not in MAY_PRINT:
        for match in PRINT.finditer(code):
            report(path, text, match.start(), f"{match.group().rstrip('( ')} below tools/")
    if folder == "ir":
        for match in DIALECT_NAME.finditer(with_strings):
            report(path, text, match.start(), f"ir/ names a dialect: {match.group()}")


def main():
    n_files = 0
    for folder in [*LEVELS, "tests"]:
        for path in sorted([*(ROOT / folder).rglob("*.[ch]"), *(ROOT / folder).rglob("*.def")]):
            check_file(path, folder)
            n_files += 1
    for room in sorted({path.parent for folder in LIBRARY for path in (ROOT / folder).rglob("*.[ch]")}):
        if not (room / "README.md").is_file():
            problems.append(f"{room.relative_to(ROOT)}/: no README.md")
    print("\n".join(problems))
    print(f"{n_files} files, {len(problems)} problems")
    sys.exit(1 if problems or n_files == 0 else 0)


main()
