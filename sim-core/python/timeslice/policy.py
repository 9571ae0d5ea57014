"""Own policies: a scheduler that you write, run by this Python.

The same file runs here and, by the language that is built into the page and the command line, everywhere. Here it can be
looked into: its functions are ordinary functions, ``print`` and a debugger work, and so does every library.

>>> import timeslice
>>> from timeslice import policy
>>> turns = policy.text('''
... def pick(cpu):
...     because("first in line", cpu.waiting[0])
...     return cpu.waiting[0]
...
... def slice(t):
...     return 5 * ms
... ''')
>>> turns.runs_in
'everywhere'
>>> [report] = timeslice.run("bfs-smt", until_ns=10**8, scheduler=turns)
>>> report.scheduler, report.fault
('own', None)

A program may do what Python may do. So a scenario's program runs only after you have loaded the same text with ``load``,
``text`` or ``of``; the policies of the textbook (``template``) are there already.

Nothing counts the steps of Python: a loop without end runs without end.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import linecache
import operator
import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple, NoReturn

from . import _core
from ._core import Cpu, Thread, World
from .errors import PolicyError, ScenarioError

__all__ = [
    "EVERYONE",
    "Beyond",
    "Cpu",
    "Policy",
    "Thread",
    "because",
    "clamp",
    "cpu_state",
    "cpus",
    "fail",
    "get",
    "load",
    "log2",
    "move",
    "ms",
    "note",
    "now",
    "ns",
    "of",
    "put",
    "random",
    "s",
    "state",
    "template",
    "templates",
    "text",
    "thread_state",
    "threads",
    "us",
]

EVERYONE = _core.Everyone()
"""The list of all CPUs: what ``place`` answers where one list is for all."""

thread_state, cpu_state, state = World.thread_state, World.cpu_state, World.state
get, put, now, cpus, threads = World.get, World.put, World.now, World.cpus, World.threads
random, because, move, note = World.random, World.because, World.move, World.note
log2, clamp = World.log2, World.clamp
_TIMES = dict(_core.TIMES)
ns, us, ms, s = (_TIMES[unit] for unit in ("ns", "us", "ms", "s"))


def fail(*why: object) -> NoReturn:
    """Stops the lane with a sentence."""
    raise PolicyError(f"the program says: {' '.join(map(str, why))}")


def _print(*values: object) -> None:
    """In a file that runs everywhere, ``print`` shows values in the card of the decision; here also where Python prints."""
    print(*values)
    World.note(" ".join(map(str, values)))


_GIVEN: dict[str, Any] = {
    **{name: getattr(World, name) for name in dir(World) if not name.startswith("_")},
    **_TIMES,
    "EVERYONE": EVERYONE,
    "fail": fail,
    "print": _print,
}
"""What a program finds besides what Python has."""


class Beyond(NamedTuple):
    """Something in a program that only Python has."""

    line: int
    column: int
    what: str
    """What it is, in words."""

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.what}"


_ONLY_HERE: dict[type[ast.AST], str] = {
    ast.While: "`while`",
    ast.ClassDef: "a class",
    ast.Import: "`import`",
    ast.ImportFrom: "`import`",
    ast.Try: "`try`",
    ast.Raise: "`raise`",
    ast.Assert: "`assert`",
    ast.Global: "`global`",
    ast.Nonlocal: "`nonlocal`",
    ast.With: "`with`",
    ast.Delete: "`del`",
    ast.Yield: "`yield`",
    ast.YieldFrom: "`yield`",
    ast.AsyncFunctionDef: "`async`",
    ast.Await: "`await`",
    ast.Match: "`match`",
    ast.NamedExpr: "`:=`",
    ast.AnnAssign: "a type",
    ast.Set: "a set in braces",
    ast.SetComp: "a set in braces",
    ast.GeneratorExp: "a generator: write a list in brackets",
    ast.Pow: "`**`",
    ast.MatMult: "`@`",
    ast.Is: "`is`: write `==`",
    ast.IsNot: "`is not`: write `!=`",
}

_BUILT_IN_THERE = frozenset(
    "True False None abs any all bool chr dict dir enumerate float getattr hasattr hash int len list max min ord "
    "range repr reversed sorted str sum tuple type zip".split()
)


def _beyond(tree: ast.Module) -> list[Beyond]:
    """What only Python has, by line."""
    found = []
    place = (1, 0)
    bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    bound |= {n.name for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    bound |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    bound |= {a.asname or a.name.split(".")[0] for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom)) for a in n.names}
    for parent in ast.walk(tree):
        for node in (parent, *ast.iter_child_nodes(parent)):
            at = getattr(node, "lineno", None)
            if at is not None:
                place = (at, node.col_offset)  # type: ignore[attr-defined]
            what = _ONLY_HERE.get(type(node)) if node is not parent else None
            if isinstance(node, ast.Name) and node is not parent and node.id not in bound | set(_GIVEN) | _BUILT_IN_THERE:
                what = f"`{node.id}`"
            if isinstance(node, ast.Compare) and node is not parent and len(node.ops) > 1:
                what = "two comparisons in one: write `and`"
            if isinstance(node, ast.FunctionDef) and node is not parent:
                if node.decorator_list:
                    what = "a decorator"
                elif node.returns or any(a.annotation for a in node.args.args):
                    what = "a type"
            if isinstance(node, ast.Constant) and isinstance(node.value, (bytes, complex)):
                what = "a value of this kind"
            if what:
                found.append(Beyond(place[0], place[1] + 1, what))
    return sorted(set(found))


class Policy:
    """A policy that has been loaded. ``timeslice.run(scenario, scheduler=policy)`` runs it alone, and ``lane`` is it among
    other lanes: ``{**scenario, "schedulers": [policy.lane, {"id": "eevdf"}]}``."""

    def __init__(self, program: str, name: str, beyond: list[Beyond]) -> None:
        self.program = program
        """The text by which scenarios name it; of one that runs everywhere, its source."""
        self.name = name
        """Its file, or its class."""
        self.beyond = beyond
        """What only Python has: lines, columns and words. Empty if it runs everywhere."""

    @property
    def lane(self) -> dict[str, Any]:
        """It as a lane of a scenario."""
        return {"id": "own", "program": self.program}

    @property
    def runs_in(self) -> str:
        """``everywhere``, or ``Python`` if it uses what the language of the page and the command line lacks."""
        return "Python" if self.beyond else "everywhere"

    def with_(self, **constants: int) -> Policy:
        """The same program with other numbers under some of its names: ``turns.with_(TURN=5 * policy.ms)``."""
        source = self.program
        for name, value in constants.items():
            line = re.compile(rf"^{re.escape(name)}[ \t]*=(?!=)[^\n#]*", re.MULTILINE)
            source, times = line.subn(f"{name} = {operator.index(value)} ", source)
            if times != 1:
                raise PolicyError(f"the program sets no `{name}` once, at the beginning of a line")
        return text(source, name=self.name)

    def __repr__(self) -> str:
        return f"Policy({self.name}, runs in {self.runs_in})"


class _Loaded(NamedTuple):
    """How a program is made anew for each lane, and how messages know its lines."""

    make: Callable[[], Mapping[str, Any]]
    file: str


_loaded: dict[str, _Loaded] = {}


def _checked(policy: Policy) -> Policy:
    """The policy, if its program can be run."""
    wrong = _core.read_policy(policy.program)
    if wrong:
        line, column, sentence = wrong
        raise ScenarioError([(policy.name, f"line {line}, column {column}: {sentence}")])
    return policy


def text(source: str, *, name: str = "policy.py") -> Policy:
    """The policy of a text, as a file has it.

    Raises ``ScenarioError`` with line, column and a sentence if it is wrong.
    """
    file = f"<{name} {hashlib.sha256(source.encode()).hexdigest()[:12]}>"
    # Debuggers and tracebacks show its lines.
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    return _from_source(source, name, file)


def load(path: str | os.PathLike[str]) -> Policy:
    """The policy of a file. Breakpoints in the file work.

    Raises ``ScenarioError`` with line, column and a sentence if it is wrong.
    """
    file = Path(path)
    return _from_source(file.read_text(encoding="utf-8"), file.name, str(file.resolve()))


def _execute(source: str, name: str, file: str) -> Mapping[str, Any]:
    """What a program has once it has been read."""
    program = {**_GIVEN, "__name__": name, "__file__": file}
    exec(compile(source, file, "exec"), program)
    return program


def _from_source(source: str, name: str, file: str) -> Policy:
    _loaded[source] = _Loaded(partial(_execute, source, name, file), file)
    try:
        beyond = _beyond(ast.parse(source))
    except SyntaxError:
        beyond = []
    return _checked(Policy(source, name, beyond))


def of(what: Callable[..., Any] | ModuleType, /, **arguments: Any) -> Policy:
    """The policy of a class (or a function that makes an object), or of a module: the hooks are its methods or functions.

    A class is called with ``arguments`` anew for each lane of each run; it declares what it keeps in ``__init__``. What an
    object keeps besides is its own: nobody sees it, and it does not outlast the run.

    >>> from timeslice import policy
    >>> class Turns:
    ...     def __init__(self, turn):
    ...         self.turn = turn
    ...     def pick(self, cpu):
    ...         return cpu.waiting[0]
    ...     def slice(self, t):
    ...         return self.turn
    >>> policy.of(Turns, turn=5 * policy.ms)
    Policy(Turns, runs in Python)
    """
    name = str(getattr(what, "__name__", what))
    try:
        source, line = inspect.getsource(what), inspect.getsourcelines(what)[1]
        file = inspect.getsourcefile(what) or name
    except (OSError, TypeError):
        source, line, file = "", 1, name
    if source:
        told = hashlib.sha256(source.encode()).hexdigest()[:32]
    else:
        # Where its source cannot be read, it is known by itself alone.
        told = f"number {id(what)} of process {os.getpid()}"
    given = ", ".join(f"{key}={value!r}" for key, value in sorted(arguments.items()))
    program = f"# run by Python: {name}({given}), {told}"

    def make() -> Mapping[str, Any]:
        made = what if isinstance(what, ModuleType) else what(**arguments)
        return {name: getattr(made, name) for name in dir(made) if not name.startswith("__")}

    _loaded[program] = _Loaded(make, file)
    beyond = [Beyond(max(line, 1), 1, f"the object {name}")]
    return _checked(Policy(program, name, beyond))


def templates() -> dict[str, str]:
    """The policies of the textbook: ids and names."""
    return {id: name for id, name, _ in _core.policies()}


def template(id: str) -> Policy:
    """A policy of the textbook: ``timeslice.policy.template("stride").program`` is its text."""
    for known, _, source in _core.policies():
        if known == id:
            return text(source, name=f"{id}.policy.py")
    known = ", ".join(templates())
    raise ScenarioError([("template", f"must be one of {known}; got {id!r}")])


_SHIPPED = frozenset(source for _, _, source in _core.policies())


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A piece of code and all that is in it."""
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _codes(const)


def _line(value: Any) -> int:
    """The line where a function begins."""
    code = getattr(inspect.unwrap(value) if callable(value) else value, "__code__", None)
    return code.co_firstlineno if isinstance(code, CodeType) else 1


def _read(program: str) -> dict[str, Any] | None:
    """What is in the program of a text, if it has been loaded. The core calls this, and ``_told`` and ``_fits``."""
    if program in _SHIPPED and program not in _loaded:
        _loaded[program] = _Loaded(partial(_execute, program, "policy.py", "policy.py"), "policy.py")
    if program not in _loaded:
        return None
    made = _loaded[program].make()
    own = {name: value for name, value in made.items() if name not in _GIVEN and not name.startswith("__")}
    lines = {**_lines(program), **{name: _line(value) for name, value in own.items() if callable(value)}}
    codes = [getattr(value, "__code__", None) for value in own.values()]
    speaks = (name for code in codes if isinstance(code, CodeType) for part in _codes(code) for name in part.co_names)
    at = lines.get
    return {
        "functions": [(name, own[name], at(name, 1)) for name in _core.HOOKS if name in own],
        "constants": [(name, own[name], at(name, 1)) for name in _core.CONSTANTS if name in own],
        "names": [(name, at(name, 1)) for name in own],
        "shares_a_list": "EVERYONE" in set(speaks),
    }


def _lines(source: str) -> dict[str, int]:
    """Lines on which names are set at the beginning of a line."""
    found: dict[str, int] = {}
    for number, line in enumerate(source.splitlines(), 1):
        name = re.match(r"([A-Za-z_]\w*)\s*=(?!=)", line)
        if name:
            found.setdefault(name[1], number)
    return found


def _fits(function: Any, arguments: int) -> bool:
    """Whether a function can be called with so many arguments."""
    try:
        inspect.signature(function).bind(*range(arguments))
    except TypeError:
        return False
    except ValueError:
        return True  # Functions of other languages do not always say.
    return True


def _told(error: BaseException, line: int) -> tuple[int, int, str]:
    """Line, column and sentence of an exception: the innermost place that is in a loaded file."""
    column = 1
    if isinstance(error, SyntaxError) and error.lineno:
        return error.lineno, error.offset or 1, str(error.msg)
    files = {loaded.file for loaded in _loaded.values()}
    trace = error.__traceback__
    while trace:
        code = trace.tb_frame.f_code
        if code.co_filename in files:
            line = trace.tb_lineno
            places = getattr(code, "co_positions", None)
            if places and trace.tb_lasti >= 0:
                place = list(places())[trace.tb_lasti // 2]
                column = (place[2] or 0) + 1
        trace = trace.tb_next
    if isinstance(error, PolicyError):
        return line, column, str(error)
    return line, column, f"{type(error).__name__}: {error}"
