"""Makes python-chess fast by a list of rewritings of its source, to be read from top to bottom.

The passes take the syntax tree of ``chess/__init__.py`` and turn its hot methods into *twins*:
methods named ``_c_...`` with the same control flow, which Cython compiles to plain C. A twin takes
a move as a 16-bit code instead of a Move object, writes moves into a buffer instead of yielding
them, and uses a number wherever python-chess has None. The public methods become *entry points*
(see

:func:`add_entry_points`), and everything else remains python-chess's own, uncompiled function
    (:func:`keep_members`).

Each pass declares the number of places it must match in each of the known sources
(`python_chess_source.py`). Any other number stops the build with

:class:`~halbzug.native.rewriting.PassMismatch`. Cython itself proves that twins touch no Python
    object: pychess.pxd declares them ``nogil``. CONTRIBUTING.md explains how to support another
    source of python-chess.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from pathlib import Path

from .rewriting import (
    Pass,
    Replacement,
    classes,
    expect,
    expression,
    matches,
    method,
    methods,
    rename,
    rewrite,
    rewrite_by,
    statements,
)

HOT_METHODS = {
    "BaseBoard": (
        "piece_type_at", "king", "attacks_mask", "attackers_mask", "pin_mask",
        "_remove_piece_at", "_set_piece_at",
    ),
    "_BoardState": ("__init__", "restore"),
    "Board": (
        "generate_pseudo_legal_moves", "generate_pseudo_legal_ep",
        "generate_pseudo_legal_captures", "generate_castling_moves", "_generate_evasions",
        "generate_legal_moves", "generate_legal_ep", "generate_legal_captures",
        "checkers_mask", "is_check", "was_into_check", "is_into_check", "is_pseudo_legal",
        "is_legal", "_is_safe", "_slider_blockers", "_ep_skewered", "_attacked_for_king",
        "has_pseudo_legal_en_passant", "has_legal_en_passant",
        "is_insufficient_material", "has_insufficient_material", "clean_castling_rights",
        "is_en_passant", "is_capture", "is_zeroing", "is_castling",
        "_from_chess960", "_to_chess960", "push", "_transposition_key",
    ),
}  # fmt: skip

PIECES = ("PAWN", "KNIGHT", "BISHOP", "ROOK", "QUEEN", "KING")

GENERATORS = tuple(name for name in HOT_METHODS["Board"] if "generate_" in name)


def twin_name(name: str) -> str:
    """The name of a python-chess method's twin."""
    return "_c_" + name.lstrip("_")


# Removing what the search never needs.


def keep_members(tree: ast.Module) -> int:
    """Gives the compiled classes every member of python-chess's, uncompiled.

    A search spends its time in some forty of python-chess's three hundred methods. The others are
    fast enough, and code that is not compiled needs no build time and cannot behave differently.
    They stay the functions of the installed package (skeleton.py.in rebinds them to the compiled
    classes). Only the hot methods go through the other passes.
    """
    tree.body = [cls for name, cls in classes(tree).items() if name in HOT_METHODS]
    found = 0
    for name, cls in classes(tree).items():
        hot = [node for node in cls.body if getattr(node, "name", None) in HOT_METHODS[name]]
        members = {} if name == "_BoardState" else dict.fromkeys(_member_names(cls))
        adoptions = statements("\n".join(f"{member} = Pure{name}.{member}" for member in members))
        cls.body = hot + adoptions
        found += len(adoptions)
    return found


def _member_names(cls: ast.ClassDef) -> Iterator[str]:
    for node in cls.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Assign):
            yield ast.unparse(node.targets[0])
        elif isinstance(node, ast.AnnAssign) and node.value:
            yield ast.unparse(node.target)


def strip_hot_methods(tree: ast.Module) -> int:
    """Drops docstrings and annotations: the C types come from pychess.pxd alone."""
    found = 0
    for function in methods(tree):
        function.returns = None
        for arg in function.args.args:
            arg.annotation = None
        if ast.get_docstring(function) is not None:
            del function.body[0]
        found += 1
    return found


def gather_in_board(tree: ast.Module) -> int:
    """Moves the hot methods of BaseBoard to Board, the only class that plays moves.

    Within one class a compiled method calls another directly, and the C compiler can inline it.
    """
    boards = classes(tree)
    moved = [node for node in boards["BaseBoard"].body if isinstance(node, ast.FunctionDef)]
    boards["BaseBoard"].body = boards["BaseBoard"].body[len(moved) :]
    boards["Board"].body[:0] = moved
    return len(moved)


def assume_standard_chess(tree: ast.Module) -> int:
    """Removes the hooks of chess variants: variant ends, drops, and the capture hook.

    Twins only ever run on an exact Board (subclasses are turned away at the entry points), where
    these hooks do nothing; without them a push is a straight line of C.
    """
    found = rewrite(tree, "if self.is_variant_end(): return", "")
    found += rewrite(tree, "not self.is_variant_end() and __a and __b", "__a and __b")
    found += rewrite(tree, "if captured_piece_type: self._push_capture(__a, __b, __c, __d)", "")
    found += rewrite(tree, "__a or __b or move.drop == PAWN", "__a or __b")
    found += rewrite(tree, "__a and __b and drop is None", "__a and __b")
    found += rewrite(tree, "if move.drop: return False", "")
    found += rewrite(
        tree,
        "self._from_chess960(__a, __b, __c, __promotion, move.drop)",
        "self._from_chess960(__a, __b, __c, __promotion)",
    )
    found += rewrite(
        tree, "Move(__from, __to, __promotion, drop)", "Move(__from, __to, __promotion)"
    )

    def drop_branch(node: ast.AST) -> Replacement:
        is_drop = isinstance(node, ast.If) and ast.unparse(node.test) == "move.drop"
        return [] if is_drop else None

    found += rewrite_by(tree, drop_branch)
    signature = method(tree, "_from_chess960").args
    if signature.args.pop().arg == "drop":
        signature.defaults.pop()
        found += 1
    return found


def assume_no_promoted_kings(tree: ast.Module) -> int:
    """Removes the hook for variants in which a king can be promoted; newer sources have it.

    python-chess asks it which promoted pieces count, and in standard chess none does.
    """
    found = rewrite(tree, "not self._effective_promoted() & __square", "True")
    found += rewrite(tree, "__kings & ~self._effective_promoted()", "__kings")
    return found + rewrite(tree, "self._effective_promoted()", "BB_EMPTY")


def drop_assertions(tree: ast.Module) -> int:
    """Removes the assertions: twins cannot raise, and entry points check for what they assert."""

    def rule(node: ast.AST) -> Replacement:
        return [] if isinstance(node, ast.Assert) else None

    return rewrite_by(tree, rule)


# Python idioms that allocate objects, rewritten as plain loops and conditions.


def loop_over_any(tree: ast.Module) -> int:
    """Turns ``return any(... for square in ...)`` into a loop, avoiding a generator object."""

    def rule(node: ast.AST) -> Replacement:
        shape = statements("return any(__generator)")[0]
        holes: dict[str, ast.expr] = {}
        if not matches(shape, node, holes):
            return None
        generator = holes["__generator"]
        if not isinstance(generator, ast.GeneratorExp):
            return None
        (comprehension,) = generator.generators
        found = ast.If(generator.elt, statements("return True"), [])
        loop = ast.For(comprehension.target, comprehension.iter, [found], [])
        return [loop, *statements("return False")]

    return rewrite_by(tree, rule)


def unroll_colors(tree: ast.Module) -> int:
    """Writes out ``all(f(color) for color in COLORS)`` for the two colours."""
    return rewrite(
        tree,
        "all(self.has_insufficient_material(color) for color in COLORS)",
        "self.has_insufficient_material(WHITE) and self.has_insufficient_material(BLACK)",
    )


def unroll_slider_loop(tree: ast.Module) -> int:
    """Unrolls the loop of pin_mask over its literal list of (attack table, sliders) pairs.

    The list would be built of Python objects at every call. Each round ends with
    ``if ...: ... break``, so the next round is that condition's else branch.
    """
    body = method(tree, "pin_mask").body
    (loop,) = (node for node in body if isinstance(node, ast.For))
    holes = expect(ast.Tuple, loop.target).elts
    pairs = expect(ast.List, loop.iter).elts
    unrolled: list[ast.stmt] = []
    for pair in reversed(pairs):
        this_round = ast.Module(copy.deepcopy(loop.body), [])
        for hole, value in zip(holes, expect(ast.Tuple, pair).elts, strict=True):
            rewrite(this_round, ast.unparse(hole), ast.unparse(value))
        branch = expect(ast.If, this_round.body[-1])
        expect(ast.Break, branch.body.pop())
        branch.orelse = unrolled
        unrolled = this_round.body
    position = body.index(loop)
    body[position : position + 1] = unrolled
    return len(pairs)


def select_without_branches(tree: ast.Module) -> int:
    """Finds, removes and puts a piece by bit operations instead of a chain of six conditions.

    Which type of piece moves or is captured is a coin toss to the branch predictor, and one wrong
    guess costs as much as all six updates. For ``if type == PAWN: self.pawns ^= mask elif ...``
    every bitboard is updated, five of them with nothing. For a chain of returns, the tests' bits
    are lined up and the lowest one that is set tells the type, which keeps their order.
    """
    found = 0
    for name in ("_remove_piece_at", "_set_piece_at"):
        found += rewrite_by(method(tree, name), _update_without_branches)
    empty = expect(ast.If, method(tree, "piece_type_at").body[-1])
    links = list(_chain(empty))
    if [ast.unparse(body) for _, body in links] != [f"return {piece}" for piece in (None, *PIECES)]:
        return found
    bits = [f"(({ast.unparse(test)}) != 0) << {i}" for i, (test, _) in enumerate(links[1:-1])]
    empty.orelse = statements(f"return _c_lsb({' | '.join(bits)} | 1 << {len(bits)}) + 1")
    return found + 1


def _chain(node: ast.If) -> Iterator[tuple[ast.expr, ast.stmt]]:
    """Tests and one-statement bodies of an if-elif-else chain; the else has the test True."""
    (statement,) = node.body
    yield node.test, statement
    (other,) = node.orelse
    if isinstance(other, ast.If):
        yield from _chain(other)
    else:
        yield expression("True"), other


def _update_without_branches(node: ast.AST) -> Replacement:
    if not (isinstance(node, ast.If) and matches(expression("piece_type == PAWN"), node.test, {})):
        return None
    *updates, (_, otherwise) = _chain(node)
    if [ast.unparse(test) for test, _ in updates] != [f"piece_type == {p}" for p in PIECES]:
        return None
    selected: list[ast.stmt] = [
        ast.If(expression("piece_type < PAWN or piece_type > KING"), [otherwise], [])
    ]
    for test, update in updates:
        selected.append(expect(ast.AugAssign, update))
        rewrite(update, "mask", f"_c_when({ast.unparse(test)}, mask)")
    return selected


# Numbers instead of objects.


def record_undo_in_c(tree: ast.Module) -> int:
    """Saves the position before a move in a C struct instead of a _BoardState on a Python list.

    The constructor and ``restore`` of _BoardState become two methods of Board which copy the
    fields to and from the struct. Making a move then allocates nothing; skeleton.py.in turns the
    structs into python-chess's objects when Python asks for the stack.
    """
    boards = classes(tree)
    tree.body.remove(boards["_BoardState"])
    for name, node in zip(("_c_save", "_c_restore"), boards["_BoardState"].body, strict=True):
        function = expect(ast.FunctionDef, node)
        rename(function, "self", "undo")
        rename(function, "board", "self")
        function.name = name
        function.args.args.reverse()
        boards["Board"].body.append(function)
    found = 2 + rewrite(
        tree,
        "board_state = _BoardState(self)",
        "undo = self._c_next_undo()\nself._c_save(undo)",
    )
    found += rewrite(tree, "self.move_stack.append(__move)", "undo.code = __move")
    found += rewrite(tree, "self._stack.append(board_state)", "self._undo_count += 1")
    return found + rewrite(tree, "if self._stack: return __x", "if self._c_has_stack(): return __x")


def number_missing_pieces(tree: ast.Module) -> int:
    """Makes "no piece" and "no promotion" 0 instead of None, as a C int."""
    found = sum(
        rewrite(method(tree, name), "return None", "return 0")
        for name in ("piece_type_at", "_remove_piece_at")
    )
    found += rewrite(tree, "promotion is None", "promotion == 0")
    return found + rewrite(method(tree, "_from_chess960").args, "None", "0")


def number_missing_kings(tree: ast.Module) -> int:
    """Makes "no king" -1 instead of None, as a C int."""
    found = rewrite(tree, "msb(__mask) if __mask else None", "msb(__mask)")  # in C: -1 for 0
    found += rewrite(  # newer sources return no king if there are several
        tree,
        "msb(__mask) if __mask and not __mask & (__mask - 1) else None",
        "msb(__mask) if not __mask & (__mask - 1) else -1",
    )
    found += rewrite(tree, "king is None", "king < 0")
    return found + rewrite(tree, "king is not None", "king >= 0")


def number_missing_ep_squares(tree: ast.Module) -> int:
    """Reads the en passant square from its C field, which is -1 instead of None.

    python-chess tests the truth of the square, so 0 (a1) also counts as no square here.
    """
    ep_square = expression("self.ep_square")

    def is_ep_square(node: ast.AST) -> bool:
        return matches(ep_square, node, {})

    def is_set(node: ast.expr) -> ast.expr:
        return expression("self.ep_square > 0") if is_ep_square(node) else node

    def rule(node: ast.AST) -> Replacement:
        if isinstance(node, ast.If) and is_ep_square(node.test):
            return ast.If(is_set(node.test), node.body, node.orelse)
        if isinstance(node, ast.BoolOp) and any(map(is_ep_square, node.values)):
            return ast.BoolOp(node.op, [is_set(value) for value in node.values])
        if isinstance(node, ast.UnaryOp) and is_ep_square(node.operand):
            return ast.UnaryOp(node.op, is_set(node.operand))
        return None

    found = rewrite_by(tree, rule)
    found += rewrite(tree, "self.ep_square is not None", "self.ep_square >= 0")
    found += rewrite(tree, "self.ep_square = None", "self.ep_square = -1")
    return found + rewrite(tree, "self.ep_square", "self._ep_square")


# Move codes and buffers.


def fill_buffers(tree: ast.Module) -> int:
    """Turns the move generators into functions that write into a buffer and return a count.

    ``yield`` becomes a store; delegating to another generator appends to the buffer; a loop that
    filters another generator's moves first has them appended, then keeps the good ones in place. No
    generator frame is suspended and resumed for every move.
    """
    found = 0
    for name in GENERATORS:
        function = method(tree, name)
        found += rewrite(
            function,
            "return itertools.chain(__first, __second)",
            "yield from __first\nyield from __second",
        )
        found += rewrite_by(function, _filter_in_place)
        found += rewrite_by(function, _delegate)
        found += rewrite(function, "yield __move", "out[count] = __move\ncount += 1")
        found += rewrite(function, "return", "return count")
        function.args.args.insert(1, ast.arg("out"))
        function.body[:0] = statements("count: cython.int = 0")
        function.body += statements("return count")
    return found


def _into(call: ast.expr, buffer: str) -> str:
    """The source of a generator call with a buffer as its first argument."""
    generator = copy.deepcopy(expect(ast.Call, call))
    generator.args.insert(0, expression(buffer))
    return ast.unparse(generator)


def _delegate(node: ast.AST) -> Replacement:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.YieldFrom):
        return statements(f"count += {_into(node.value.value, 'out + count')}")
    return None


def _filter_in_place(node: ast.AST) -> Replacement:
    if not (isinstance(node, ast.For) and ast.unparse(node.target) == "move"):
        return None
    (head,) = statements("while index < total:\n    move = out[index]\n    index += 1")
    loop = expect(ast.While, head)
    loop.body += node.body
    return [
        *statements("index: cython.int = count"),
        *statements(f"total: cython.int = count + {_into(node.iter, 'out + count')}"),
        loop,
    ]


def search_buffers(tree: ast.Module) -> int:
    """Generates into a small buffer where python-chess asks for membership in a generator.

    All these calls are for one origin and one target square, castling or en passant: they generate
    a handful of moves, so room for 64 is plenty.
    """

    def rule(node: ast.AST) -> Replacement:
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            call = node.comparators[0]
            if isinstance(call, ast.Call):
                negation = "not " if isinstance(node.ops[0], ast.NotIn) else ""
                member = ast.unparse(node.left)
                return expression(f"{negation}_c_holds(buffer, {_into(call, 'buffer')}, {member})")
        holes: dict[str, ast.expr] = {}
        if matches(expression("any(__generator)"), node, holes):
            return expression(f"{_into(holes['__generator'], 'buffer')} > 0")
        return None

    found = 0
    for function in methods(tree):
        places = rewrite_by(function, rule)
        if places:
            function.body[:0] = statements("buffer = cython.declare(cython.int[64])")
        found += places
    return found


def encode_moves(tree: ast.Module) -> int:
    """Replaces Move objects by codes: from_square | to_square << 6 | promotion << 12.

    A code is built and taken apart in a register; a Move object is allocated, reference counted
    and collected. The null move is 0, so its truth is the same.
    """
    found = rewrite(tree, "Move(__from, __to)", "__from | __to << 6")
    found += rewrite(
        tree, "Move(__from, __to, __promotion)", "__from | __to << 6 | __promotion << 12"
    )
    found += rewrite(tree, "move.from_square", "move & 63")
    found += rewrite(tree, "move.to_square", "move >> 6 & 63")
    found += rewrite(tree, "move.promotion", "move >> 12")
    return found + rename(tree, "move", "code")


# C instead of Python: tables, bit operations, calls.


def index_with_shifts(tree: ast.Module) -> int:
    """Replaces the list of single-square bitboards by a shift, and file and rank by bits."""
    found = rewrite(tree, "BB_SQUARES[__square]", "_c_bb(__square)")
    found += rewrite(tree, "square_rank(__square)", "(__square) >> 3")
    return found + rewrite(tree, "square_file(__square)", "(__square) & 7")


def attack_by_arithmetic(tree: ast.Module) -> int:
    """Replaces the dictionaries of sliding attacks by C functions (see bits.h).

    python-chess looks attacks up by the masked occupancy, a hash of a big integer. A literal 0
    asks for the attacks on an empty board, which are a table.
    """
    found = 0
    for line in ("rank", "file", "diag"):
        table, mask = f"BB_{line.upper()}_ATTACKS", f"BB_{line.upper()}_MASKS"
        found += rewrite(tree, f"{line}_pieces = {mask}[__square] & __occupied", "")
        found += rewrite(
            tree, f"{table}[__square][{line}_pieces]", f"_c_{line}(__square, occupied)"
        )
        found += rewrite(tree, f"{table}[__square][0]", f"_t_{line}_rays[(__square) & 63]")
        found += rewrite(
            tree,
            f"{table}[__square][{mask}[__square] & __occupied]",
            f"_c_{line}(__square, __occupied)",
        )
    return found


def attack_by_table(tree: ast.Module) -> int:
    """Reads the leapers' attacks and the rays between squares from C tables."""
    found = rewrite(tree, "BB_KNIGHT_ATTACKS[__square]", "_t_knight[(__square) & 63]")
    found += rewrite(tree, "BB_KING_ATTACKS[__square]", "_t_king[(__square) & 63]")
    found += rewrite(
        tree,
        "BB_PAWN_ATTACKS[__color][__square]",
        "_t_pawn[1 if __color else 0][(__square) & 63]",
    )
    for ranks in ("4 if self.turn else 3", "RANK_5 if self.turn else RANK_4"):
        found += rewrite(tree, f"BB_RANKS[{ranks}]", "BB_RANK_5 if self.turn else BB_RANK_4")
    found += rewrite(tree, "ray(__a, __b)", "_c_ray(__a, __b)")
    return found + rewrite(tree, "between(__a, __b)", "_c_between(__a, __b)")


def pair_occupied_co(tree: ast.Module) -> int:
    """Reads the two colours' pieces from a C pair in the board instead of a Python list."""
    return rewrite(tree, "self.occupied_co[__color]", "self._occupied_co[1 if __color else 0]")


def scan_bits(tree: ast.Module) -> int:
    """Writes loops over the squares of a bitboard as bit scans, without a generator."""
    loops = 0

    def rule(node: ast.AST) -> Replacement:
        nonlocal loops
        holes: dict[str, ast.expr] = {}
        if not (
            isinstance(node, ast.For)
            and matches(expression("scan_reversed(__squares)"), node.iter, holes)
        ):
            return None
        loops += 1
        square, squares = ast.unparse(node.target), ast.unparse(holes["__squares"])
        rest = f"rest_{loops}"
        start, head = statements(
            f"{rest}: u64 = {squares}\n"
            f"while {rest}:\n    {square} = _c_msb({rest})\n    {rest} ^= _c_bb({square})"
        )
        expect(ast.While, head).body += node.body
        return [start, head]

    found = rewrite_by(tree, rule)
    found += rewrite(tree, "msb(__squares)", "_c_msb(__squares)")
    return found + rewrite(tree, "popcount(__squares)", "_c_popcount(__squares)")


def type_locals(tree: ast.Module) -> int:
    """Types the few local variables whose C type Cython cannot infer from their first value.

    Otherwise a mask that starts as a literal 0 would become a signed long, and truth values Python
    objects.
    """
    found = sum(
        rewrite(tree, f"{mask} = 0", f"{mask}: u64 = 0")
        for mask in ("attacks", "attacked", "blockers")
    )
    found += rewrite(tree, "a_side = __test", "a_side: cython.bint = __test")
    return found + rewrite(
        tree, "castling = __test and __mask", "castling: cython.bint = __test and __mask != 0"
    )


def choose_truth(tree: ast.Module) -> int:
    """Converts integers to truth values in C: before Cython 3.2, `bool()` creates objects."""
    found = 0
    for function in methods(tree):
        for name in ("color", "promoted", "was_promoted"):
            found += rewrite(
                function, f"{name} = bool(__x)", f"{name}: cython.bint = True if __x else False"
            )
        found += rewrite(function, "bool(__x)", "True if __x else False")
    return found


def call_twins(tree: ast.Module) -> int:
    """Renames the methods to their twins' names and passes all arguments in calls.

    C functions have no default arguments. The occupancy, None by default, is the board's own.
    """
    found = rewrite(
        tree,
        "self.is_attacked_by(__color, __square)",
        "self.attackers_mask(__color, __square, self.occupied) != 0",
    )
    found += rewrite(
        tree,
        "self.attackers_mask(__color, __square)",
        "self.attackers_mask(__color, __square, self.occupied)",
    )
    found += rewrite(tree, "occupied = self.occupied if occupied is None else occupied", "")
    hot = {function.name: function for function in methods(tree)}

    def rule(node: ast.AST) -> Replacement:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            return None
        function = hot.get(node.func.attr)
        if function is None or node.func.attr.startswith("_c_"):
            return None
        missing = len(function.args.args) - 1 - len(node.args)
        defaults = function.args.defaults[len(function.args.defaults) - missing :]
        args = node.args + (copy.deepcopy(defaults) if missing else [])
        callee = ast.Attribute(node.func.value, twin_name(node.func.attr), ast.Load())
        return ast.Call(callee, args, [])

    found += rewrite_by(tree, rule)
    for function in hot.values():
        function.args.defaults = []
        if not function.name.startswith("_c_"):
            function.name = twin_name(function.name)
    return found


# Putting the module together.

MOVE_ENTRY_POINTS = (
    "is_legal", "is_pseudo_legal", "is_into_check",
    "is_en_passant", "is_capture", "is_zeroing", "is_castling",
)  # fmt: skip
POSITION_ENTRY_POINTS = (
    "checkers_mask", "is_check", "was_into_check", "is_insufficient_material",
    "has_pseudo_legal_en_passant", "has_legal_en_passant", "clean_castling_rights",
)  # fmt: skip
GENERATOR_ENTRY_POINTS = tuple(name for name in GENERATORS if name != "_generate_evasions")

MOVE_ENTRY_POINT = """
def {name}(self, move):
    code: cython.int = self._code(move)
    return PureBoard.{name}(self, move) if code < 0 else self.{twin}(code)
"""
POSITION_ENTRY_POINT = """
def {name}(self):
    return self.{twin}() if self._is_plain() else PureBoard.{name}(self)
"""
GENERATOR_ENTRY_POINT = """
def {name}(self, from_mask=0xFFFFFFFFFFFFFFFF, to_mask=0xFFFFFFFFFFFFFFFF):
    if not self._is_plain():
        return PureBoard.{name}(self, from_mask, to_mask)
    return _iterate(
        self, KIND("{name}"),
        PyLong_AsUnsignedLongLongMask(from_mask), PyLong_AsUnsignedLongLongMask(to_mask))
"""
GENERATE = """
def _c_generate(self, kind, out, from_mask, to_mask):
    return 0
"""
GENERATE_KIND = "if kind == KIND('{name}'): return self.{twin}(out, from_mask, to_mask)"


def add_entry_points(tree: ast.Module) -> int:
    """Gives the twins public methods with python-chess's names, arguments and results.

    An entry point passes a call on to the twin only if a twin can answer it: plain squares and
    moves, on a Board whose class overrides nothing. Anything else goes to python-chess's own
    function, so that strange arguments raise python-chess's own exceptions instead of reaching C.
    An iterator takes all its moves when it is first asked for one.
    """
    board = classes(tree)["Board"]
    entry_points = [(name, MOVE_ENTRY_POINT) for name in MOVE_ENTRY_POINTS]
    entry_points += [(name, POSITION_ENTRY_POINT) for name in POSITION_ENTRY_POINTS]
    entry_points += [(name, GENERATOR_ENTRY_POINT) for name in GENERATOR_ENTRY_POINTS]
    for name, text in entry_points:
        board.body += statements(text.format(name=name, twin=method(tree, twin_name(name)).name))
    generate = expect(ast.FunctionDef, statements(GENERATE)[0])
    for name in reversed(GENERATOR_ENTRY_POINTS):
        generate.body[:0] = statements(GENERATE_KIND.format(name=name, twin=twin_name(name)))
    board.body.append(generate)
    return len(entry_points)


def add_skeleton(tree: ast.Module) -> int:
    """Inserts all this into the hand-written skeleton.py.in, whose methods take precedence."""
    specialised = classes(tree)
    skeleton, notation = (
        statements(Path(__file__).with_name(name).read_text("utf-8"))
        for name in ("skeleton.py.in", "notation.py.in")
    )
    tree.body = skeleton
    for node in notation[1:]:
        if isinstance(node, ast.ClassDef):
            classes(tree)[node.name].body += node.body
        else:
            tree.body.append(node)
    for name, cls in specialised.items():
        body = classes(tree)[name].body
        body += [node for node in cls.body if isinstance(node, ast.FunctionDef)]
        written = {node.name for node in body if isinstance(node, ast.FunctionDef)}
        for node in cls.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) not in written:
                body.append(node)
    for kind, name in enumerate(GENERATOR_ENTRY_POINTS):
        rewrite(tree, f"KIND({name!r})", str(kind))
    return len(specialised)


def make_final(tree: ast.Module) -> int:
    """Declares all twins final: nothing overrides them, so no call goes through a table."""
    found = 0
    for function in methods(tree):
        if function.name.startswith("_c_"):
            function.decorator_list = [expression("cython.final")]
            found += 1
    return found


#: Methods of the skeleton that are C functions, called with the lock held, and those that Cython
#: calls when nothing else refers to the object.
UNLOCKED = frozenset((
    "__cinit__", "__dealloc__",
    "_is_plain", "_code", "_flush", "_may_have_repeated", "_goes_on", "_piece",
    "_write_and_push", "_begin",
))  # fmt: skip


def lock_entry_points(tree: ast.Module) -> int:
    """Lets only one thread at a time into a board, or an iterator over moves.

    Without this, in a free-threaded Python, two threads with one board could write outside its undo
    records. In other Pythons it does nothing.
    """
    found = 0
    for name in ("Board", "MoveIterator"):
        for node in classes(tree)[name].body:
            if (
                isinstance(node, ast.FunctionDef)
                and not node.name.startswith("_c_")
                and node.name not in UNLOCKED
            ):
                node.decorator_list.append(expression("cython.critical_section"))
                found += 1
    return found


#: In order, each with the number of its places: one for all known sources, or one for each.
PASSES = (
    Pass(keep_members, (180, 183)),
    Pass(strip_hot_methods, 40),
    Pass(gather_in_board, 7),
    Pass(assume_standard_chess, 12),
    Pass(assume_no_promoted_kings, (0, 9)),
    Pass(drop_assertions, 2),
    Pass(loop_over_any, 1),
    Pass(unroll_colors, 1),
    Pass(unroll_slider_loop, 3),
    Pass(select_without_branches, 3),
    Pass(record_undo_in_c, 6),
    Pass(number_missing_pieces, 4),
    Pass(number_missing_kings, 5),
    Pass(number_missing_ep_squares, 27),
    Pass(fill_buffers, 36),
    Pass(search_buffers, 5),
    Pass(encode_moves, (180, 182)),
    Pass(index_with_shifts, 47),
    Pass(attack_by_arithmetic, 17),
    Pass(attack_by_table, 22),
    Pass(pair_occupied_co, 45),
    Pass(scan_bits, 34),
    Pass(type_locals, 6),
    Pass(choose_truth, 11),
    Pass(call_twins, 75),
    Pass(add_entry_points, 21),
    Pass(add_skeleton, 2),
    Pass(make_final, 59),
    Pass(lock_entry_points, 67),
)
