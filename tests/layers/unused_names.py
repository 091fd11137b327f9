#!/usr/bin/env python3
"""Finds unused functions, members, and constants declared in headers of core/ and src/ (names that occur there only in declarations
and definitions), and signals that are never connected. Uses in tests do not count, except for the names in ALLOWED, which have
reasons.

Compares names, not types: a function that shares its name with a used one is not found. Excludes overrides, constructors,
operators, and functions called by the language (begin, end).
"""
import dataclasses
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
ALLOWED = {
    "inspected or pressed by window tests": """
        isReading statusText subjectField formatField areaField scaleField releaseField readAgainButton removeButton
        addDevicesButton canvasBefore canvasAfter followAction statusDetail moveButton trial
        paintButton emptyText scrollBar filterField tilesButton
        runOptions passSwitch copyButton""",
    "tests treat small models as large ones, so that a job checks them": "setOptions",
    "parses a text instead of a file, for tests and fuzzers": "parseFxJson",
    "tests give nodes sizes without a file": "setSizeBytes",
    "runs the pass without a proof of its result, for tests and fuzzers": "deduplicate",
    "PyTorch's str(graph): tests compare printNode() with it line by line": "printGraph",
    "tests compare the index with a brute-force search": "edgeBounds",
}
CALLED_BY_THE_LANGUAGE = {"begin", "end", "main"}
TOKEN = re.compile(r"[A-Za-z_]\w*|::|->|&&|\d[\w.']*|\S")
NOT_NAMES = {"if", "for", "while", "switch", "return", "sizeof", "alignof", "decltype", "noexcept", "static_assert", "requires",
             "catch", "defined", "explicit", "alignas", "void", "throw", "co_await", "new", "delete"}


@dataclasses.dataclass
class Declared:
    file: str
    line: int
    name: str
    kind: str  # "function", "signal", "name"


def stripped(text):
    """Removes comments, contents of literals, and preprocessor lines, and keeps line numbers."""
    def blank(match):
        found = match.group(0)
        return ('""' if found[0] in "\"'R" else " ") + "\n" * found.count("\n")

    literal = r'R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|(?<![\w])\'(?:\\.|[^\'\\\n])+\''
    text = re.sub(r"//[^\n]*|/\*(?:.|\n)*?\*/|" + literal, blank, text)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.M)


class Scanner:
    """Walks the tokens of a file and separates names in declarations and definitions from used names."""

    def __init__(self, file, text):
        self.file = file
        self.tokens = []  # (token, line)
        for number, line in enumerate(stripped(text).split("\n"), 1):
            self.tokens += [(token, number) for token in TOKEN.findall(line)]
        self.declared = []
        self.used = set()

    def scan(self):
        self.declarations(0, "")

    def at(self, i):
        return self.tokens[i][0] if i < len(self.tokens) else ""

    def closing(self, i):
        """Returns the index of the bracket that closes the one at i."""
        pairs = {"(": ")", "{": "}", "[": "]"}
        opened, closed = self.at(i), pairs[self.at(i)]
        depth = 0
        while i < len(self.tokens):
            depth += (self.at(i) == opened) - (self.at(i) == closed)
            if depth == 0:
                return i
            i += 1
        return i

    def use(self, begin, end):
        self.used.update(token for token, _ in self.tokens[begin:end])

    def declarations(self, i, owner):
        """Scans the scope of a namespace or class from i to its closing brace; returns the next index."""
        isSignals = False
        while i < len(self.tokens):
            token = self.at(i)
            if token == "}":
                return i + 1
            if token in ("public", "protected", "private", "signals", "slots"):
                if token != "slots":
                    isSignals = token == "signals"
                i += 1
            elif token in (":", ";"):
                i += 1
            else:
                i = self.declaration(i, owner, isSignals)
        return i

    def declaration(self, i, owner, isSignals):
        """Scans one declaration up to its semicolon or the end of its body."""
        begin, name = i, None
        while i < len(self.tokens) and self.at(i) not in (";", "{", "="):
            if self.at(i) in ("(", "["):
                if self.at(i) == "(" and name is None and self.isName(i - 1, begin, owner):
                    name = i - 1
                i = self.closing(i)
            i += 1
        words = {token for token, _ in self.tokens[begin:i]}
        if name is not None:
            self.take(name, begin, i, words, isSignals)
        elif self.isVariable(begin, i, words):
            self.use(begin, i - 1)
            self.declare(i - 1, "name")
        else:
            self.use(begin, i)
        if self.at(i) == "{" and name is None and words & {"namespace", "class", "struct", "extern", "union"} and "enum" not in words:
            title = next((self.at(k + 1) for k in range(begin, i) if self.at(k) in ("class", "struct", "union")), "")
            return self.declarations(i + 1, title or owner)
        return self.rest(i)

    def rest(self, i):
        """Scans the rest of a declaration, a body or a value, in which all names are uses."""
        while i < len(self.tokens) and self.at(i) != ";":
            if self.at(i) in ("{", "(", "["):
                end = self.closing(i)
                self.use(i, end)
                isBody = self.at(i) == "{" and self.at(end + 1) != ";" and self.at(end + 1) not in (",", "{", "(", ")")
                i = end
                if isBody:
                    return i + 1
            else:
                self.use(i, i + 1)
            i += 1
        return i + 1

    def isVariable(self, begin, end, words):
        """Whether the tokens from begin to end are a type and a declared name."""
        isOther = words & {"namespace", "class", "struct", "union", "enum", "using", "typedef", "friend", "template", "extern"}
        return not isOther and end - begin > 1 and re.fullmatch(r"[A-Za-z_]\w*", self.at(end - 1)) and self.at(end - 2) != "::"

    def isName(self, i, begin, owner):
        """Whether the token at i, followed by a parenthesis, is the name of a function declared here."""
        name = self.at(i)
        if not re.fullmatch(r"[A-Za-z_]\w*", name) or name in NOT_NAMES or i == begin:
            return False
        before = self.at(i - 1)
        return before not in ("~", "operator", ".", "->", "(", ",") and "operator" not in (self.at(k) for k in range(begin, i))

    def take(self, name, begin, end, words, isSignals):
        token = self.at(name)
        self.use(begin, name)  # types, and the class before "::"
        self.use(name + 1, end)
        if words & {"override", "final", "using", "typedef", "friend"} or self.at(name - 1) == "::" and self.at(name - 2) == token:
            return
        self.declare(name, "signal" if isSignals else "function")

    def declare(self, at, kind):
        token, line = self.tokens[at]
        if self.file.endswith(".h") and not token.isupper():
            self.declared.append(Declared(self.file, line, token, kind))


def main():
    declared, used, connected, classes = [], set(), set(), set()
    for file in sorted([*(TOP / "core").rglob("*"), *(TOP / "src").rglob("*")]):
        if file.suffix not in (".h", ".cpp"):
            continue
        text = file.read_text(encoding="utf-8")
        scanner = Scanner(str(file.relative_to(TOP)), text)
        scanner.scan()
        declared += scanner.declared
        used |= scanner.used
        plain = stripped(text)
        connected.update(re.findall(r"&\s*(?:\w+::)+(\w+)", plain))
        classes.update(re.findall(r"\b(?:class|struct)\s+(\w+)", plain))
    faults, met = [], set()
    allowed = {name for names in ALLOWED.values() for name in names.split()}
    says = {"signal": "signal is never connected:", "function": "function is never called:", "name": "name is never used:"}
    for one in declared:
        isUsed = one.name in (connected if one.kind == "signal" else used)
        if isUsed or one.name in classes or one.name in CALLED_BY_THE_LANGUAGE:
            continue
        met.add(one.name)
        if one.name not in allowed:
            faults.append(f"{one.file}:{one.line}: {says[one.kind]} {one.name}")
    tests = "".join(file.read_text(encoding="utf-8") for file in (TOP / "tests").rglob("*") if file.suffix in (".h", ".cpp"))
    words = set(TOKEN.findall(tests))
    faults += [f"{name} is in ALLOWED, but is used elsewhere or does not exist" for name in sorted(allowed - met)]
    faults += [f"{name} is in ALLOWED, but no test uses it" for name in sorted((allowed & met) - words)]
    print(f"{len(declared)} names", *faults, f"{len(faults)} faults", sep="\n")
    return 1 if faults or len(declared) < 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
