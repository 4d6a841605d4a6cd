"""Random faults put into the code, one at a time: does the first tier of tests notice?

    python -m tests.mutants core --count 300     rules, notation, advisor, printing
    python -m tests.mutants rest --count 150     vision, table, web, history, opening

The sample is drawn with a seed from all faults of the kinds below. Left out is what nobody can notice: words, types,
logs, seeds of OpenCV's own lot; numbers of 10 and more by 1, which are doubled instead; and "<=" for "<" where a photo
is measured, which is ">=" instead, since what is measured lies on no threshold. Of a mutant those tests run that reach
its line, the mirrored folder's first and the quickest of them first, until one fails. Which do, and how long they take,
is measured once and kept in `mutants/`; tests written since are tried on every mutant of their folder, and with the
folder removed all is measured anew. Needs pytest-cov.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from itertools import accumulate
from math import inf
from multiprocessing import get_context
from pathlib import Path
from queue import SimpleQueue
from xml.etree import ElementTree

PROJECT = Path(__file__).resolve().parents[1]
WORK = PROJECT / "mutants"
PARTS = {
    "core": ("rules", "notation", "advisor", "printing"),
    "rest": ("vision", "table", "web", "history", "opening"),
}
TRIED_S = 120.0
"""How long the tests of a mutant take together, at most; what they do not find by then has survived."""

NEEDED = (
    *(
        "companion",
        "templates",
        "samples",
        "docs",
        "tests",
        ".ci",
        ".github",
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
    ),
    *("LICENSE", "Makefile", "pyproject.toml", "hatch_build.py", "setup.sh", "requirements.lock", "SECURITY.md"),
)
TIMEOUT_S = 600
UNNOTICED = {"_LOG", "logging", "setRNGSeed"}
"""Names whose calls change nothing that a user or a test could see."""

SWAPS: dict[type[ast.AST], str] = {
    **{ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "=="},
    **{ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in"},
    **{ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "+"},
    **{ast.And: "or", ast.Or: "and"},
}

MEASURED: dict[type[ast.AST], str] = {ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<"}
"""The same for comparisons in `companion/vision`."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault: `new` in place of `old`, from column to column of one line (from 1) of a file."""

    path: str
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.start} {self.old} -> {self.new}"


def mutants_of(path: Path) -> Iterator[Mutant]:
    """All faults that may be put into a file."""
    text = path.read_text(encoding="utf-8")
    lines, name = text.splitlines(), str(path.relative_to(PROJECT))
    swaps = SWAPS | MEASURED if "vision" in path.parts else SWAPS

    def at(line: int, start: int, end: int, new: str) -> Iterator[Mutant]:
        # Columns are counted in bytes; lines that are not ASCII are left alone.
        if lines[line - 1].isascii():
            yield Mutant(name, line, start, end, lines[line - 1][start:end], new)

    def between(left: ast.expr, right: ast.expr, new: str) -> Iterator[Mutant]:
        """The operator between two operands on one line."""
        if left.end_lineno == right.lineno and left.end_col_offset is not None:
            gap = lines[right.lineno - 1][left.end_col_offset : right.col_offset]
            operator = gap.strip(" ()")
            if operator and gap.count(operator) == 1:
                start = left.end_col_offset + gap.index(operator)
                yield from at(right.lineno, start, start + len(operator), new)

    for node in _code(ast.parse(text)):
        match node:
            case ast.Compare(left, ops, comparators):
                for operator, first, second in zip(ops, (left, *comparators), comparators, strict=False):
                    yield from between(first, second, swaps[type(operator)])
            case ast.BinOp(left, operator, right) if type(operator) in SWAPS:
                yield from between(left, right, swaps[type(operator)])
            case ast.BoolOp(operator, values):
                yield from between(values[0], values[1], swaps[type(operator)])
            case ast.UnaryOp(ast.Not(), operand) if operand.lineno == node.lineno:
                yield from at(node.lineno, node.col_offset, operand.col_offset, "")
            case ast.Constant(bool(value)):
                yield from at(node.lineno, node.col_offset, node.end_col_offset or 0, str(not value))
            case ast.Constant(int(value)):
                new = str(value + 1 if value < 10 else 2 * value)
                yield from at(node.lineno, node.col_offset, node.end_col_offset or 0, new)
            case ast.Break() | ast.Continue():
                new = "continue" if isinstance(node, ast.Break) else "break"
                yield from at(node.lineno, node.col_offset, node.end_col_offset or 0, new)
            case ast.Expr(ast.Call()) if node.lineno == node.end_lineno:
                yield from at(node.lineno, node.col_offset, node.end_col_offset or 0, "pass")


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that decide something: no annotations or decorators, nothing for types alone, no `strict=True`."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return
    if isinstance(node, ast.keyword) and node.arg == "strict":
        return
    if isinstance(node, ast.Call) and UNNOTICED & {
        part.id for part in ast.walk(node.func) if isinstance(part, ast.Name)
    }:
        return
    yield node
    for field, value in ast.iter_fields(node):
        if field not in ("annotation", "returns", "decorator_list"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _code(child)


def reached() -> tuple[dict[tuple[str, int], set[str]], dict[str, float]]:
    """The tests of the first tier that run each line, by file and line, and how long each test takes.

    Of line 0 those that run any line. Measured once and kept.
    """
    from coverage import CoverageData

    data, times = WORK / "coverage", WORK / "times.xml"
    if not (data.exists() and times.exists()):
        WORK.mkdir(exist_ok=True)
        rules = WORK / "coveragerc"
        rules.write_text(f"[run]\nsource = companion\ndata_file = {data}\ncore = ctrace\n", encoding="utf-8")
        options = [f"--cov-config={rules}", "--cov", "--cov-context=test", "--cov-report=", "-n2", "--dist=worksteal"]
        options += [f"--basetemp={WORK / 'tmp'}", f"--junitxml={times}"]
        subprocess.run([sys.executable, "-m", "pytest", "-q", *options], cwd=PROJECT, check=False)
    found = CoverageData(str(data))
    found.read()
    by_line: dict[tuple[str, int], set[str]] = {}
    for file in found.measured_files():
        name = str(Path(file).relative_to(PROJECT))
        for line, contexts in found.contexts_by_lineno(file).items():
            by_line[name, line] = {context.split("|")[0] for context in contexts if "::" in context}
            by_line.setdefault((name, 0), set()).update(by_line[name, line])
    seconds = {}
    for case in ElementTree.parse(times).iter("testcase"):
        test = f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"
        seconds[test] = inf if case.find("failure") is not None else float(case.get("time", 0))
    return by_line, seconds


def chosen(mutant: Mutant, tests: Iterable[str], seconds: Mapping[str, float]) -> list[str]:
    """Of the tests that may notice a mutant those tried: the mirrored folder's first, the quickest of them first."""
    mirrored = "tests/" + mutant.path.split("/")[1]
    ordered = sorted(tests, key=lambda test: (not test.startswith(mirrored), seconds[test], test))
    ends = accumulate(seconds[test] for test in ordered)
    return [test for test, end in zip(ordered, ends, strict=True) if end <= TRIED_S]


def collected() -> set[str]:
    """All tests of the first tier that there are now."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    return {line for line in done.stdout.splitlines() if "::" in line}


def is_killed(mutant: Mutant, tests: Sequence[str], tree: Path) -> bool:
    """Whether one of the tests fails in a copy of the project with the fault in it."""
    path = tree / mutant.path
    whole = path.read_text(encoding="utf-8")
    lines = whole.splitlines(keepends=True)
    line = lines[mutant.line - 1]
    lines[mutant.line - 1] = line[: mutant.start] + mutant.new + line[mutant.end :]
    path.write_text("".join(lines), encoding="utf-8")
    process = get_context("fork").Process(target=_try, args=(tests, tree))
    process.start()
    process.join(TIMEOUT_S)
    if process.is_alive():
        process.kill()
        process.join()
    path.write_text(whole, encoding="utf-8")
    return process.exitcode != 0


def _try(tests: Sequence[str], tree: Path) -> None:
    """Run tests of a copy of the project, in a process of their own that has everything heavy already."""
    import pytest

    sys.path.insert(0, str(tree))
    for name in [name for name in sys.modules if name.split(".")[0] in ("tests", "companion")]:
        del sys.modules[name]
    os.chdir(tree)
    os.environ.update(PYTHONPATH=str(tree), TESTS_NETWORKS=str(WORK / "networks"))
    with Path(os.devnull).open("w") as nowhere:
        for stream in (1, 2):
            os.dup2(nowhere.fileno(), stream)
        options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", f"--basetemp={tree / 'tmp'}"]
        # Plugins that are imported already are as good.
        os._exit(pytest.main([*options, "--timeout=300", "-W", "ignore::pytest.PytestAssertRewriteWarning", *tests]))


def _load() -> None:
    """Import what most tests need and takes long, each library with one thread."""
    os.environ.update(OPENBLAS_NUM_THREADS="1", OPENCV_FOR_THREADS_NUM="1")
    for name in ("cv2", "numpy", "httpx", "hypothesis", "jinja2", "starlette.applications", "typer"):
        import_module(name)


def main() -> int:
    """Draw, run and report; the exit status is 1 if fewer than `--least` per cent are killed."""
    parser = argparse.ArgumentParser(description="Try a random sample of mutants.")
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=20261128)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--least", type=float, default=90.0, help="per cent that must be killed")
    parser.add_argument("--list", action="store_true", help="print the sample and try nothing")
    options = parser.parse_args()
    files = [path for part in PARTS[options.part] for path in sorted((PROJECT / "companion" / part).rglob("*.py"))]
    everything = [mutant for path in files for mutant in mutants_of(path)]
    drawn = random.Random(options.seed).sample(everything, options.count)
    if options.list:
        print(len(everything), *drawn, sep="\n")
        return 0
    by_line, seconds = reached()
    _load()
    trees: SimpleQueue[Path] = SimpleQueue()
    for number in range(options.jobs):
        tree = WORK / f"tree-{number}"
        shutil.rmtree(tree, ignore_errors=True)
        for name in NEEDED:
            copy = shutil.copytree if (PROJECT / name).is_dir() else shutil.copy
            tree.mkdir(parents=True, exist_ok=True)
            copy(PROJECT / name, tree / name)
        trees.put(tree)
    there = {test: seconds.get(test, 1.0) for test in collected()}
    folders = tuple(f"tests/{part}/" for part in PARTS[options.part])
    new = {test for test in there if test not in seconds and test.startswith(folders)}
    nothing = Mutant(drawn[0].path, 1, 0, 0, "", "")
    if new and is_killed(nothing, sorted(new), WORK / "tree-0"):
        sys.exit("tests fail without any fault: mend them, or wait until the machine has less to do")

    def tried(mutant: Mutant) -> str:
        # What runs at import alone is reached by all that reach the file.
        reach = by_line.get((mutant.path, mutant.line)) or by_line.get((mutant.path, 0)) or ()
        mirrored = {test for test in new if test.startswith("tests/" + mutant.path.split("/")[1])}
        tests = chosen(mutant, there.keys() & (mirrored | set(reach)), there)
        tree = trees.get()
        try:
            status = "no tests" if not tests else "killed" if is_killed(mutant, tests, tree) else "survived"
        finally:
            trees.put(tree)
        print(f"{status}: {mutant} ({len(tests)} of {len(reach)} tests)", flush=True)
        return status

    with ThreadPoolExecutor(options.jobs) as pool:
        statuses = list(pool.map(tried, drawn))
    for part in PARTS[options.part]:
        own = Counter(s for m, s in zip(drawn, statuses, strict=True) if m.path.startswith(f"companion/{part}/"))
        print(part, dict(own))
    killed = statuses.count("killed")
    print(f"{killed} of {len(drawn)} killed ({100 * killed / len(drawn):.1f}%)")
    return 0 if 100 * killed >= options.least * len(drawn) else 1


if __name__ == "__main__":
    sys.exit(main())
