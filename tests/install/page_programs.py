# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""page_programs.py PAGE DIRECTORY: writes the programs of a page, each with what it is said to print.

A program is a ```c block whose first line names its file; the block after it is its output: NAME.c and NAME.out.
"""

import pathlib
import re
import sys

page, directory = sys.argv[1:]
text = pathlib.Path(page).read_text(encoding="utf-8")
n_programs = 0
for match in re.finditer(r"```c\n(/\* (\w+)\.c \*/\n.*?)```\n\nIt prints:\n\n```\n(.*?)```\n", text, re.S):
    source, name, output = match.groups()
    (pathlib.Path(directory) / f"{name}.c").write_text(source, encoding="utf-8")
    (pathlib.Path(directory) / f"{name}.out").write_text(output, encoding="utf-8")
    n_programs += 1
if n_programs != text.count("```c\n") or n_programs == 0:
    sys.exit(f"{page}: {text.count('```c')} programs, of which {n_programs} name their file and output")
