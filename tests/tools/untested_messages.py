# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Error messages that no test has: the longest piece of each without a directive is looked for in all of tests/, and what unit
tests expect, in quotes, in the message.

usage: untested_messages.py [FOLDER...]

Prints file:line and the message, for the folders named or for all that report errors. A message that is put together from
others is missed; one whose words stand in a test by chance is taken as tested.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = sys.argv[1:] or "base ir dialects planning lowering echo_pass codegen jit tools samples".split()
CALL = re.compile(
    r"\b(?:echo_error|echo_op_error|echo_op_error_unnamed|echo_asm_error|echo_buffer_printf\(error|echo_buffer_append_c\(error"
    r"|\w*(?:wrong|fail|complain|refuse|bad|_error|die|expect)\w*)\s*[(,]([^;]*?)((?:\"(?:[^\"\\]|\\.)*\"\s*)+)", re.S)
DIRECTIVE = re.compile(r"%(?:%|[-+ #0-9.*]*(?:hh|h|ll|l|z|j)?[a-zA-Z])")
MIN_WORDS = 2


def tests():
    texts = []
    for path in sorted((ROOT / "tests").rglob("*")):
        if path.suffix in (".mlir", ".test", ".c", ".py", ".sh", ".h"):
            texts.append(path.read_text(encoding="utf-8", errors="replace"))
    text = re.sub(r'"\s*\n\s*"', "", "\n".join(texts))
    quoted = {words for words in re.findall(r'"([^"\\\n]{8,200})"', text) if len(words.split()) >= MIN_WORDS}
    return re.sub(r"\s+", " ", text.replace("\\'", "'").replace('\\"', '"')), quoted


def messages(path):
    text = path.read_text(encoding="utf-8")
    for call in CALL.finditer(text):
        if "{" in call.group(1) or "}" in call.group(1):
            continue
        literal = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', call.group(2)))
        pieces = [piece.strip() for piece in DIRECTIVE.split(literal.replace('\\"', '"').replace("\\n", " "))]
        longest = max(pieces, key=len)
        if len(longest.split()) >= MIN_WORDS:
            yield text.count("\n", 0, call.start(2)) + 1, literal, re.sub(r"\s+", " ", longest)


tested, quoted = tests()
n = n_missing = 0
for folder in FOLDERS:
    for path in sorted((ROOT / folder).rglob("*.c")):
        for line, literal, longest in messages(path):
            n += 1
            if longest not in tested and not any(words in literal for words in quoted):
                n_missing += 1
                print(f"{path.relative_to(ROOT)}:{line}: {literal}")
print(f"{n} messages, {n_missing} in no test")
