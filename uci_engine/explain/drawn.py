"""Drawn searches and questions, as Python programs and notebooks have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ..base.text import counted
from ..display.page import Page
from ..display.sheet import Sheet, show_text
from ..teaching import worksheet
from ..teaching.quiz_page import quiz_page
from ..teaching.quiz_solutions import QuizQuestion
from ..teaching.recorded import SearchedTree
from ..teaching.search_drawing import draw_search
from ..teaching.search_page import search_page
from ..teaching.tree_texts import empty_table, page_texts, search_name, title_of


class SearchDrawing:
    """A tree with chance, three players or queens, and its searches.

    :param tree: the tree with its searches, whose steps are recorded.
    """

    def __init__(self, tree: SearchedTree) -> None:
        self.tree = tree

    @property
    def values(self) -> dict[str, str]:
        """What each search has found, in print: a fraction, three numbers, or a cost."""
        return {name: run.result for name, run in self.tree.runs.items()}

    @property
    def nodes(self) -> int:
        """The nodes of the tree."""
        return self.tree.root.size

    def svg(
        self,
        search: str | None = None,
        language: str = "en",
        *,
        is_solved: bool = True,
        title: str | None = None,
    ) -> str:
        """The tree as SVG with what a search has found: its usual one if nothing is said.

        :param is_solved: False draws the tree alone.
        :param title: in place of the usual one.
        :raises ValueError: if there is no such search of this tree.
        """
        if search is not None and search not in self.tree.runs:
            raise ValueError(f"search is one of {', '.join(self.tree.runs)}, not {search!r}")
        return draw_search(self.tree, search, language, is_solved, title)

    def html(
        self, language: str = "en", *, title: str | None = None, has_results: bool = True
    ) -> Page:
        """A page that steps through the searches, in `en` or `de` first, without a server.

        :param title: in place of the usual one.
        :param has_results: whether a table can be opened that has what the searches find.
        """
        return search_page(self.tree, language, title, has_results)

    def table(self, language: str = "en") -> Sheet:
        """What each search needed and found."""
        sheet = empty_table(language)
        for name, run in self.tree.runs.items():
            cells = map(str, (run.nodes, run.leaves, run.cutoffs))
            sheet.add(search_name(name, language), *cells, run.result)
        return sheet

    def as_json(self) -> dict[str, object]:
        """What was found, for programs."""
        searches = {
            name: {
                "nodes": run.nodes,
                "leaves": run.leaves,
                "cutoffs": run.cutoffs,
                "value": run.result.replace("\N{MINUS SIGN}", "-"),
                "line": list(run.line),
            }
            for name, run in self.tree.runs.items()
        }
        return {"nodes": self.nodes, "searches": searches}

    def __str__(self) -> str:
        return f"{title_of(self.tree)}\n{self.table().text()}"

    def __repr__(self) -> str:
        return f"<SearchDrawing {self.tree.kind} of {counted(self.nodes, 'node')}>"

    _repr_pretty_ = show_text

    def _repr_svg_(self) -> str:
        return self.svg()


class Quiz:
    """Questions with their solutions.

    :param questions: in the order in which they are asked.
    """

    def __init__(self, questions: Sequence[QuizQuestion]) -> None:
        self._questions = tuple(questions)

    def html(self, language: str = "en", *, title: str | None = None) -> Page:
        """A page that asks them and checks the answers, in `en` or `de` first.

        :param title: in place of the usual one.
        """
        return quiz_page(self._questions, language, title)

    def worksheet(self, language: str = "en", *, title: str | None = None) -> Page:
        """A page to be printed, with the trees and room to answer, without solutions.

        :param title: in place of the usual one.
        """
        return worksheet.worksheet(self._questions, language, title)

    def key(self, language: str = "en", *, title: str | None = None) -> Page:
        """The solutions to the worksheet, as a page to be printed."""
        return worksheet.key(self._questions, language, title)

    def lines(self, language: str = "en") -> Iterator[str]:
        """Each question in a line, as the page asks it."""
        for number, question in enumerate(self._questions, 1):
            yield f"{number:2} {question.text(page_texts()[language])}"

    def as_json(self, language: str = "en") -> list[dict[str, object]]:
        """The questions with their solutions, for programs.

        A solution that is nodes has their numbers, which count from the root's 0, each node before
        those below it, from left to right; `names` has what they are called.
        """
        return [
            {
                "ask": question.asked.ask,
                "text": question.text(page_texts()[language]),
                "choices": list(question.choices),
                "solution": question.solution,
                "names": question.node_names(),
            }
            for question in self._questions
        ]

    def __getitem__(self, index: int) -> QuizQuestion:
        return self._questions[index]

    def __iter__(self) -> Iterator[QuizQuestion]:
        return iter(self._questions)

    def __len__(self) -> int:
        return len(self._questions)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<Quiz of {counted(len(self), 'question')}>"

    _repr_pretty_ = show_text

    def _repr_html_(self) -> str:
        texts = page_texts()["en"]
        lines = (f"<li>{escape(question.text(texts))}</li>" for question in self._questions)
        return f"<ol>{''.join(lines)}</ol>"
