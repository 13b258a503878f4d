"""What a user's file defines: functions, weights, techniques and options, all checked.

The weights are those of `halbzug.eval.weights`, which the modules of the evaluation read when they
are imported: this module imports none of them.
"""

from __future__ import annotations

import ast
import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import ModuleType
from typing import Any

from ..api.term_titles import title_of
from ..api.term_titles_de import german_title
from ..base.events import FileOption
from ..base.language import say
from ..base.text import on_one_line
from ..eval import network_file
from ..eval.weights import WEIGHTS
from .homemade import homemade_engine

#: The range of a numeric option for which the file gives none.
MAX_NUMBER = 1_000_000

#: The definitions that make a file an engine.
_IDEAS = ("evaluate", "choose", "order", "WEIGHTS", "WITHOUT", "EVAL_FILE")

#: The minimum similarity of a name to one of ours to be reported as a slip, see `difflib`.
NEAR = 0.8

Pair = tuple[int, int]


class FileError(Exception):
    """What is wrong with a file, in one line with its name."""


@dataclass
class Ideas:
    """What a file defines."""

    path: str
    name: str
    author: str = "unknown"
    evaluate: Callable[..., Any] | None = None
    choose: Callable[..., Any] | None = None
    order: Callable[..., Any] | None = None
    search: Callable[..., Any] | None = None  # from a class in lichess-bot's style
    weights: dict[tuple[str, int], Pair] = field(default_factory=dict)  # by name and index
    without: tuple[str, ...] = ()  # fields of `Settings`
    network: network_file.Weights | None = None  # a network that evaluates on its own
    options: tuple[FileOption, ...] = ()
    values: dict[str, Any] = field(default_factory=dict)  # the file's own `OPTIONS`
    remarks: tuple[str, ...] = ()  # messages for the author, one line each


def read_ideas(module: ModuleType, path: str) -> Ideas:
    """Read the definitions of an executed module.

    :raises FileError: if they do not make an engine.
    """
    names = vars(module)
    ideas = Ideas(path, _text(names, "name", path) or Path(path).stem)
    ideas.author = _text(names, "author", path) or ideas.author
    for name in ("evaluate", "choose", "order"):
        function = names.get(name)
        if function is None:
            continue
        if not callable(function):
            raise _error(path, name, say("is not a function"))
        setattr(ideas, name, function)
    ideas.weights = _read_weights(names.get("WEIGHTS", {}), path)
    ideas.without = _read_without(names.get("WITHOUT", ()), path)
    ideas.network = _read_network(names, path)
    ideas.options = _read_options(names.get("OPTIONS", {}), path)
    if ideas.options:
        ideas.values = names["OPTIONS"]
        ideas.values.update({option.name: option.default for option in ideas.options})
    if ideas.choose is None:
        ideas.search = homemade_engine(module, path)
    slips = _slips(module)
    if ideas.search is None and not any(name in names for name in _IDEAS):
        hint = "".join(
            "; " + say("{name}: did you mean {meant}?", name=name, meant=meant)
            for name, meant in slips.items()
        )
        sentence = say(
            "{file} does not define an engine: it has none of {names}, and no class with a method "
            "search",
            file=Path(path).name,
            names=", ".join(_IDEAS),
        )
        raise FileError(sentence + hint)
    used = _used_names(path)
    ideas.remarks = tuple(
        str(_error(path, name, say("is ignored; did you mean {meant}?", meant=meant)))
        for name, meant in slips.items()
        if name not in used
    )
    return ideas


def _slips(module: ModuleType) -> dict[str, str]:
    """Names in a file that are probably misspelt, with the missing names they resemble.

    Only the file's own functions and data in upper case count, and no `evaluate2`.
    """
    names = vars(module)
    slips = {}
    for name, value in names.items():
        meant: tuple[str, ...] = ()
        if inspect.isfunction(value) and value.__module__ == module.__name__:
            meant = ("evaluate", "choose", "order")
        elif name.isupper() and isinstance(value, Mapping):
            meant = ("WEIGHTS", "OPTIONS")
        elif name.isupper() and isinstance(value, list | tuple | set | frozenset):
            meant = ("WITHOUT",)
        elif name.isupper() and isinstance(value, str):
            meant = ("WITHOUT", "EVAL_FILE", "name", "author")
        for one in meant:
            word = name.lower()
            is_longer = word != one.lower() and word.startswith(one.lower())
            if one in names or word[0] != one[0].lower() or is_longer:
                continue
            if difflib.SequenceMatcher(None, word, one.lower()).ratio() >= NEAR:
                slips[name] = one
    return slips


def _used_names(path: str) -> set[str]:
    """The names that a file itself uses, which are therefore not misspelt."""
    try:
        tree = ast.parse(Path(path).read_bytes())
    except (OSError, ValueError, SyntaxError, RecursionError):
        return set()
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def apply_weights(weights: Mapping[tuple[str, int], Pair]) -> None:
    """Change the weights of the evaluation, before its modules are imported."""
    for (name, index), pair in weights.items():
        pairs = list(WEIGHTS[name])
        pairs[index] = pair
        WEIGHTS[name] = tuple(pairs)


def _text(names: Mapping[str, Any], name: str, path: str) -> str:
    value = names.get(name, "")
    if not isinstance(value, str):
        raise _error(path, name, say("is not a text"))
    return " ".join(on_one_line(value).split())[:80]


def _read_weights(given: object, path: str) -> dict[tuple[str, int], Pair]:
    if not isinstance(given, Mapping):
        raise _error(path, "WEIGHTS", say("is not a dictionary"))
    groups = {name.replace("_", " "): name for name in WEIGHTS}
    places = {
        title(name, index): (name, index)
        for name, pairs in WEIGHTS.items()
        for index in range(len(pairs))
        for title in (title_of, german_title)
    }
    weights: dict[tuple[str, int], Pair] = {}
    for wanted, value in given.items():
        word = str(wanted).replace("_", " ")
        pair = _pair(value)
        if pair is None:
            sentence = say("{word}: neither a number nor a pair of numbers", word=word)
            raise _error(path, "WEIGHTS", sentence, word)
        if word in groups:
            group = groups[word]
            weights.update({(group, index): pair for index in range(len(WEIGHTS[group]))})
        elif word in places:
            weights[places[word]] = pair
        else:
            raise _unknown(path, "WEIGHTS", word, [*groups, *places])
    return weights


def _pair(value: object) -> Pair | None:
    """A weight as a pair in centipawns; None if it is invalid or too large for the evaluation."""
    both = value if isinstance(value, tuple | list) else (value, value)
    if len(both) != 2 or not all(isinstance(one, int | float) for one in both):
        return None
    try:
        early, late = (round(one) for one in both)
    except (ValueError, OverflowError):
        return None
    return (early, late) if max(abs(early), abs(late)) <= 10_000 else None


def _read_without(given: object, path: str) -> tuple[str, ...]:
    from ..search.settings import Settings

    switches = {one.name.replace("_", " "): one.name for one in fields(Settings)}
    switches = {
        words: name for words, name in switches.items() if getattr(Settings(), name) is True
    }
    if isinstance(given, str):
        given = (given,)
    if not isinstance(given, Iterable):
        raise _error(path, "WITHOUT", say("is not a list of techniques"))
    names = []
    for one in given:
        words = str(one).replace("_", " ").lower()
        if words not in switches:
            raise _unknown(path, "WITHOUT", words, switches)
        names.append(switches[words])
    return tuple(names)


def _read_network(names: Mapping[str, Any], path: str) -> network_file.Weights | None:
    """Read the network of `EVAL_FILE`, whose path is relative to the file's folder."""
    text = _text(names, "EVAL_FILE", path)
    if not text:
        return None
    if names.get("WEIGHTS"):
        raise _error(path, "EVAL_FILE", say("a network has none of the WEIGHTS; give one of both"))
    is_name = text in (network_file.TERMS, network_file.NETWORK)
    try:
        return network_file.named(text if is_name else str(Path(path).parent / text))
    except network_file.NetworkError as error:
        sentence = say("{name} cannot be used: {why}", name=text, why=error)
        raise _error(path, "EVAL_FILE", sentence) from None


def _read_options(given: object, path: str) -> tuple[FileOption, ...]:
    if not isinstance(given, dict):
        raise _error(path, "OPTIONS", say("is not a dictionary"))
    options = []
    for name, value in given.items():
        is_name = isinstance(name, str) and name == " ".join(on_one_line(name).split())
        if not is_name or not name or "value" in name.split():
            sentence = say("{name!a} is not a valid option name", name=name)
            raise _error(path, "OPTIONS", sentence)
        numbers = value if isinstance(value, tuple) else (value, -MAX_NUMBER, MAX_NUMBER)
        if isinstance(value, bool):
            options.append(FileOption(name, value))
        elif isinstance(value, str):
            options.append(FileOption(name, value if value == on_one_line(value) else ""))
        elif len(numbers) == 3 and all(type(number) is int for number in numbers):
            default, minimum, maximum = numbers
            if not minimum <= default <= maximum:
                sentence = say("{name}: {value} is out of its range", name=name, value=default)
                raise _error(path, "OPTIONS", sentence, name)
            options.append(FileOption(name, default, minimum, maximum))
        else:
            sentence = say(
                "{name} must be a number, (number, minimum, maximum), True or False, or a text",
                name=name,
            )
            raise _error(path, "OPTIONS", sentence, name)
    return tuple(options)


def _unknown(path: str, name: str, word: str, known: Iterable[str]) -> FileError:
    near = difflib.get_close_matches(word, list(known), n=3, cutoff=0.5)
    if near:
        hint = say("; did you mean {names}?", names=", ".join(near))
    else:
        hint = say(", such as {name}", name=next(iter(known)))
    return _error(path, name, say("there is no {word}", word=word[:60]) + hint, word)


def _error(path: str, name: str, text: str, word: str = "") -> FileError:
    """An error with the line in which a name is assigned, or a text in it occurs."""
    line = _line_of(path, name, word)
    file, what = Path(path).name, f"{name}: {text}"
    if not line:
        return FileError(f"{file}: {what}")
    return FileError(say("{file}, line {line}: {what}", file=file, line=line, what=what))


def _line_of(path: str, name: str, word: str) -> int | None:
    try:
        tree = ast.parse(Path(path).read_bytes())
    except (OSError, ValueError, SyntaxError, RecursionError):
        return None
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return node.lineno
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        if not any(isinstance(target, ast.Name) and target.id == name for target in targets):
            continue
        texts = [part for part in ast.walk(node) if isinstance(part, ast.Constant)]
        lines = [part.lineno for part in texts if word and _words(part.value) == word.lower()]
        return lines[0] if lines else node.lineno
    return None


def _words(value: object) -> str:
    return str(value).replace("_", " ").lower()


def takes_clock(function: Callable[..., Any]) -> bool:
    """Whether a `choose` takes the clock as well as the board."""
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        return False
    except ValueError:
        pass
    return True
