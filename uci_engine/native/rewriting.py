"""Tools for the passes: find shapes in a syntax tree, replace them, count the places.

A pattern is a line of Python in which a name such as ``__square`` stands for any expression;
the same name twice must match the same expression twice. ``rewrite(tree, "BB_SQUARES[__s]",
"_c_bb(__s)")`` replaces every subscription of BB_SQUARES in *tree* and returns how many it found.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")
Bindings = dict[str, ast.expr]
Replacement = ast.AST | list[ast.stmt] | None
Rule = Callable[[ast.AST], Replacement]


class PassMismatch(Exception):  # noqa: N818 - it is the news, not a mistake
    """A pass met a source it was not written for."""

    def __init__(self, pass_name: str, expected: object, found: object) -> None:
        super().__init__(f"pass {pass_name}: expected {expected}, found {found}")
        self.pass_name = pass_name
        self.expected = expected
        self.found = found


@dataclass(frozen=True)
class Pass:
    """A named rewriting of the tree and the number of places it must find.

    :ivar places: one number for every known source, or one for each, in their order.
    """

    run: Callable[[ast.Module], int]
    places: int | tuple[int, ...]

    @property
    def name(self) -> str:
        """The name of the pass in messages."""
        return self.run.__name__

    def apply(self, tree: ast.Module, number: int) -> None:
        """Rewrites *tree* in place.

        :param number: the index of the known source.
        :raises: :exc:`PassMismatch` if the pass does not match exactly its number of places.
        """
        try:
            found: object = self.run(tree)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            found = f"a shape it does not know ({error!r})"
        places = self.places if isinstance(self.places, int) else self.places[number]
        if found != places:
            raise PassMismatch(self.name, places, found)


def expect(kind: type[T], node: object) -> T:
    """*node*, which must be of a kind.

    :raises: :exc:`ValueError` otherwise, which stops the pass.
    """
    if not isinstance(node, kind):
        raise ValueError(f"{type(node).__name__} where {kind.__name__} was expected")
    return node


def statements(text: str) -> list[ast.stmt]:
    """Parses a snippet of our own."""
    return ast.parse(text).body


def expression(text: str) -> ast.expr:
    """Parses an expression of our own."""
    return ast.parse(text, mode="eval").body


def classes(tree: ast.Module) -> dict[str, ast.ClassDef]:
    """The classes of a module by name."""
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def methods(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """All methods of all classes of a module."""
    for cls in classes(tree).values():
        yield from (node for node in cls.body if isinstance(node, ast.FunctionDef))


def method(tree: ast.Module, name: str) -> ast.FunctionDef:
    """The one method called *name*.

    :raises: :exc:`ValueError` if there is none, or more than one.
    """
    (found,) = (node for node in methods(tree) if node.name == name)
    return found


def matches(pattern: ast.AST, node: ast.AST, bindings: Bindings) -> bool:
    """Whether *node* has the shape of *pattern*; fills *bindings* with what the holes hold."""
    if isinstance(pattern, ast.Name) and pattern.id.startswith("__"):
        if not isinstance(node, ast.expr):
            return False
        known = bindings.setdefault(pattern.id, node)
        return ast.dump(known) == ast.dump(node)
    if type(pattern) is not type(node):
        return False
    return all(
        _field_matches(getattr(pattern, field), getattr(node, field, None), bindings)
        for field in pattern._fields
        if field not in ("ctx", "type_comment", "kind")
    )


def _field_matches(pattern: object, value: object, bindings: Bindings) -> bool:
    if isinstance(pattern, ast.AST):
        return isinstance(value, ast.AST) and matches(pattern, value, bindings)
    if isinstance(pattern, list):
        return (
            isinstance(value, list)
            and len(pattern) == len(value)
            and all(_field_matches(*pair, bindings) for pair in zip(pattern, value, strict=True))
        )
    return type(pattern) is type(value) and pattern == value


class _Filler(ast.NodeTransformer):
    def __init__(self, bindings: Bindings) -> None:
        self.bindings = bindings

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self.bindings.get(node.id, node))


class _Rewriter(ast.NodeTransformer):
    """Applies a rule bottom-up, so that shapes inside a replaced shape are replaced too."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.count = 0

    def visit(self, node: ast.AST) -> Replacement:
        self.generic_visit(node)
        replacement = self.rule(node)
        if replacement is None:
            return node
        self.count += 1
        return replacement


def rewrite_by(tree: ast.AST, rule: Rule) -> int:
    """Replaces every node for which *rule* returns something other than None."""
    rewriter = _Rewriter(rule)
    rewriter.generic_visit(tree)
    ast.fix_missing_locations(tree)
    return rewriter.count


def rewrite(tree: ast.AST, pattern: str, replacement: str) -> int:
    """Replaces every node of the shape *pattern*; an empty replacement removes a statement."""
    (shape,) = statements(pattern)
    body = statements(replacement)
    if isinstance(shape, ast.Expr) and len(body) == 1 and isinstance(body[0], ast.Expr):
        return rewrite_by(tree, _expression_rule(shape.value, body[0].value))
    return rewrite_by(tree, _statement_rule(shape, body))


def _expression_rule(shape: ast.expr, replacement: ast.expr) -> Rule:
    def rule(node: ast.AST) -> ast.AST | None:
        bindings: Bindings = {}
        if not matches(shape, node, bindings):
            return None
        filled: ast.AST = _Filler(bindings).visit(copy.deepcopy(replacement))
        return filled

    return rule


def _statement_rule(shape: ast.stmt, replacement: list[ast.stmt]) -> Rule:
    def rule(node: ast.AST) -> list[ast.stmt] | None:
        bindings: Bindings = {}
        if not matches(shape, node, bindings):
            return None
        return [_Filler(bindings).visit(copy.deepcopy(statement)) for statement in replacement]

    return rule


def rename(tree: ast.AST, old: str, new: str) -> int:
    """Renames a variable, parameters included."""

    def rule(node: ast.AST) -> ast.AST | None:
        if isinstance(node, ast.Name) and node.id == old:
            return ast.Name(new, node.ctx)
        if isinstance(node, ast.arg) and node.arg == old:
            return ast.arg(new)
        return None

    return rewrite_by(tree, rule)
