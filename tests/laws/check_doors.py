# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_doors.py BUILD-DIRECTORY [FUNCTION]: whatever is handed to a function of an installed header is checked.

Every function that an installed header declares is called with good arguments, and then with each argument in turn
that cannot be: NULL, a list with a NULL in it or without its entries, of another context, an index or a kind that is
none. Each call runs in a process of its own (doors/world.c). The call lives, answers NULL or false, leaves nothing
behind, and names the argument in a diagnostic. What the type of a parameter does not tell stands in doors/table.txt.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = ROOT / "tests/laws/doors"
DECLARATION = re.compile(r"(?:^|[;@])\s*([^;@()]*?)\b(echo_\w+)\s*\(((?:[^()]|\([^()]*\))*)\)\s*(?=[;@])")
PARAMETER = re.compile(r"(.*?)(\w+)((?:\[\d*\])*)$", re.S)


class Parameter:
    def __init__(self, text):
        text = " ".join(text.split())
        pointer_to_array = re.match(r"(.*)\(\*(\w+)\)(\[\d+\])$", text)
        kind, self.name, array = (pointer_to_array or PARAMETER.match(text)).groups()
        self.type = kind.strip() + (" (*)" + array if pointer_to_array else " *" if array else "")
        self.type = self.type.replace("* *", "**").replace("*const *", "*const *")
        self.is_pointer = "*" in self.type


class Function:
    def __init__(self, header, returns, name, parameters):
        self.header, self.name = header, name
        self.is_inline = "inline" in returns
        self.returns = " ".join(returns.replace("static inline", "").replace("extern", "").split())
        parts = re.split(r",(?![^()]*\))", parameters)
        self.is_variadic = "..." in parameters
        self.parameters = [Parameter(p) for p in parts if p.strip() not in ("void", "...", "")]
        self.builds = any(p.type == "EchoBuilder *" for p in self.parameters)


def read_functions(prefix, everything):
    """All that the installed headers declare, header by header, from the preprocessor's output."""
    text = subprocess.run(["gcc", "-std=c17", f"-I{prefix}/include", "-E", everything], check=True, capture_output=True,
                          text=True).stdout
    lines, header = {}, ""
    for line in text.splitlines():
        mark = re.match(r'# \d+ "([^"]*)"', line)
        if mark:
            header = mark.group(1).split("/include/echo/")[-1] if "/include/echo/" in mark.group(1) else ""
        elif header:
            lines.setdefault(header, []).append(line)
    functions = []
    for header, content in lines.items():
        code = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", " ".join(content))
        before = None
        while before != code:  # bodies, from the inside
            before, code = code, re.sub(r"\{[^{}]*\}", " @ ", code)
        functions += [Function(header, *match) for match in DECLARATION.findall(code)]
    return functions


def expand(expression):
    for mark, made in (("%", "value(here.func"), ("!", "type(here.ctx"), ("#", "attribute(here.ctx")):
        if expression.startswith(mark):
            return '%s, "%s")' % (made, expression[1:].replace("\\", "\\\\").replace('"', '\\"'))
    return expression


class Table:
    """Lines "PATTERN: parameter = expression; parameter?; word": see table.txt."""

    def __init__(self, path):
        self.defaults, self.rules = {}, []
        for number, line in enumerate(path.read_text().splitlines(), 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            pattern, _, rest = line.partition(":")
            if pattern.startswith("("):
                self.defaults[pattern[1:-1]] = rest.strip()
                continue
            rule = {"pattern": re.compile(pattern + "$"), "line": number, "used": False, "good": {}, "null": set(),
                    "words": set()}
            for item in filter(None, (item.strip() for item in rest.split(";"))):
                if "=" in item:
                    name, _, expression = item.partition("=")
                    rule["good"][name.strip()] = expand(expression.strip())
                elif item.endswith("?"):
                    rule["null"].add(item[:-1])
                else:
                    rule["words"].add(item.split()[0])
            self.rules.append(rule)

    def of(self, function):
        merged = {"good": {}, "null": {"error"}, "words": set()}
        for rule in self.rules:
            if rule["pattern"].match(function.name) or rule["pattern"].match(function.header):
                rule["used"] = True
                merged["good"].update(rule["good"])
                merged["null"] |= rule["null"]
                merged["words"] |= rule["words"]
        return merged

    def good(self, parameter):
        for key in (f"{parameter.type} {parameter.name}", parameter.type):
            if key in self.defaults:
                return self.defaults[key]
        return None


PLUGIN = """#include <echo/jit/driver/plugin.h>
const EchoPluginInfo *echo_plugin_info(void)
{
  static const EchoPluginInfo info = {.api_version = ECHO_PLUGIN_API_VERSION, .name = "door", .version = "1"};
  return &info;
}
"""

# Through these a misuse is told.
TELLERS = ("EchoContext *", "EchoBuilder *", "const EchoBuilder *", "EchoOp *", "EchoBlock *", "EchoValue *",
           "EchoExecutable *", "EchoPassManager *")
CONTEXTUAL = re.compile(r"here\.(?!said|printed|args|results|buffer|device|bytes|npy|npz|safetensors|object|path|plugin"
                        r"|set|metadata|loader|filled|stream|passes|model|tensor_data)")
INDEX = re.compile(r"(index|i|axis|dim|dimension|arg|operand|feature|buffer_id|group)$")


def bad_arguments(table, rule, parameter, good):
    """Pairs of how it is wrong and the expression."""
    kind, name = parameter.type, parameter.name
    if kind == "EchoStr" and f"{name}!" not in rule["words"]:
        yield "NULL", "((EchoStr){NULL, 3})"
    elif kind == "EchoLoc":
        if name + "~" not in rule["words"]:
            yield "of another context", "there.loc"
    elif parameter.is_pointer:
        if name not in rule["null"]:
            yield "NULL", "NULL"
        gaps = {"here.values": "here.gaps", "here.types": "here.type_gaps", "here.attrs": "here.attr_gaps",
                "here.exprs": "here.expr_gaps", "here.strings": "here.attr_gaps",
                "here.attr_args": "here.bad_attr_args", "here.func_args": "here.bad_attr_args", "here.part": "here.bad_part", "here.indices": "here.gaps",
                "here.starts": "here.gaps", "here.entries": "here.bad_entries"}
        if good in gaps:
            yield "with a gap", gaps[good]
    elif re.match(r"Echo\w+$", kind) and kind not in ("EchoStr", "EchoLoc") and name not in rule["null"]:
        if "(" not in good and "{" not in good:
            yield "no kind", f"({kind})99"
    elif INDEX.match(name) and name not in rule["null"]:
        yield "too large", "1000000"
        if kind == "int64_t":
            yield "negative", "-7"


def calls(table, functions):
    for function in functions:
        rule = table.of(function)
        # Of what is inline, builders; the rest reads a field, and trusts its caller as an index into an array does.
        if "skip" in rule["words"] or (function.is_inline and not function.builds):
            continue
        good = []
        for parameter in function.parameters:
            expression = rule["good"].get(parameter.name) or table.good(parameter)
            if expression is None:
                sys.exit(f"{function.header}: {function.name}: nothing is known of '{parameter.type} {parameter.name}'")
            good.append(expression)
        yield function, rule, None, "good", good
        for i, parameter in enumerate(function.parameters):
            parameter.is_first = i == 0
            contextual = [k for k, e in enumerate(good) if CONTEXTUAL.search(e) and k != i]
            for how, expression in bad_arguments(table, rule, parameter, good[i]):
                yield function, rule, parameter, how, good[:i] + [expression] + good[i + 1:]
            is_place = parameter.type == "EchoValue **" or (parameter.type == "EchoBuilder *" and i != 0)
            if contextual and CONTEXTUAL.search(good[i]) and not is_place and "own" not in rule["words"] and \
                    parameter.name + "~" not in rule["words"]:
                yield function, rule, parameter, "of another context", \
                    good[:i] + [good[i].replace("here.", "there.")] + good[i + 1:]
            if parameter.name in rule["null"] and parameter.is_pointer:
                yield function, rule, parameter, "NULL by contract", good[:i] + ["NULL"] + good[i + 1:]


def write_call(number, function, rule, parameter, how, arguments):
    call = f"{function.name}({', '.join(arguments)})"
    if function.returns == "void":
        body = f"  {call};\n  return NEITHER;"
    elif function.returns in ("bool", "_Bool") or "*" in function.returns:
        body = f"  return {call} ? YES : NO;"
    else:
        body = f"  (void){call};\n  return NEITHER;"
    told = any(p.type in TELLERS and p is not parameter for p in function.parameters) or \
        any(p.name == "error" and p is not parameter for p in function.parameters)
    answers = function.returns in ("void", "bool", "_Bool") or "*" in function.returns
    is_taken = how == "NULL by contract"
    # The first is what the call is about: without it there may be nobody to tell, of another context the rest is wrong.
    is_quiet = "quiet" in rule["words"] or not told or not answers or \
        (parameter is not None and parameter.is_first and how == "NULL")
    is_free = parameter is not None and (parameter.is_first or parameter.type in ("EchoContext *", "EchoBuilder *")
                                         or f"{parameter.name}!" in rule["words"])
    text = call.replace("\\", "\\\\").replace('"', '\\"')
    entry = '  {"%s", %s, "%s", "%s", call_%d, %s, %s, %s, %s},\n' % (
        function.name, '"%s"' % parameter.name.removesuffix("_or_null") if parameter else "NULL", how, text[len(function.name) + 1:-1], number,
        *("true" if flag else "false" for flag in (is_taken, is_quiet, is_free, "panics" in rule["words"])))
    return f"static Answer call_{number}(void)\n{{\n{body}\n}}\n", entry


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        subprocess.run(["cmake", "--install", build, "--prefix", scratch / "prefix"], check=True, capture_output=True)
        headers = sorted(p.relative_to(scratch / "prefix/include") for p in (scratch / "prefix/include").rglob("*.h"))
        everything = "".join(f"#include <{h}>\n" for h in headers)
        (scratch / "everything.c").write_text(everything)
        table = Table(HERE / "table.txt")
        functions = read_functions(scratch / "prefix", scratch / "everything.c")
        texts, entries = [], []
        for number, call in enumerate(calls(table, functions)):
            text, entry = write_call(number, *call)
            texts.append(text)
            entries.append(entry)
        (scratch / "calls.c").write_text(everything + '#include "tests/laws/doors/world.h"\n' + "".join(texts) + "const Call CALLS[] = {\n"
                                         + "".join(entries) + "};\nconst size_t N_CALLS = sizeof CALLS / sizeof CALLS[0];\n")
        for rule in table.rules:
            if not rule["used"]:
                sys.exit(f"table.txt:{rule['line']}: of no function")
        if len(functions) < 500:
            sys.exit("few declarations were found")
        libraries = next((scratch / "prefix").rglob("libecho.so")).parent
        subprocess.run(["gcc", "-std=c17", "-D_GNU_SOURCE", "-O0", "-w", "-Werror=implicit-function-declaration", f"-I{ROOT}", f"-I{scratch}/prefix/include",
                        scratch / "calls.c", HERE / "world.c", "-o", scratch / "doors", f"-L{libraries}", "-lecho-jit",
                        "-lecho", f"-Wl,-rpath,{libraries}"], check=True)
        (scratch / "door.c").write_text("int echo_door(void);\nint echo_door(void) { return 7; }\n")
        (scratch / "step.mlir").write_text("func.func private @f()\n")
        (scratch / "plugin.c").write_text(PLUGIN)
        subprocess.run(["gcc", "-c", "door.c", "-o", "door.o"], check=True, cwd=scratch)
        subprocess.run(["gcc", "-shared", "-fPIC", f"-I{scratch}/prefix/include", "plugin.c", "-o", "plugin.so"], check=True,
                       cwd=scratch)
        print(f"{len(functions)} functions")
        sys.stdout.flush()
        sys.exit(subprocess.run([scratch / "doors", *sys.argv[2:]], cwd=scratch).returncode)


main()
