# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""page_programs.py PAGE DIRECTORY: writes the programs of a page, each with what it is said to print.

A program is a ```c block whose first line names its file; the block after it is its output: NAME.c and NAME.out.
The page's CMakeLists.txt and the lines it says to type (commands.sh, a line each) go into DIRECTORY/typed.
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
typed = pathlib.Path(directory) / "typed"
typed.mkdir()
for content in re.findall(r"```cmake\n# CMakeLists.txt\n(.*?)```\n", text, re.S):
    (typed / "CMakeLists.txt").write_text(content, encoding="utf-8")
commands = [line for block in re.findall(r"```\n(\$ .*?)```\n", text, re.S) for line in re.findall(r"^\$ (.*)$", block, re.M)]
(typed / "commands.sh").write_text("".join(line + "\n" for line in commands), encoding="utf-8")
if not commands:
    sys.exit(f"{page}: no commands")
if n_programs != text.count("```c\n") or n_programs == 0:
    sys.exit(f"{page}: {text.count('```c')} programs, of which {n_programs} name their file and output")
