"""Drawn searches and quiz questions, for Python programs and notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ..base.language import reader_language
from ..base.text import counted
from ..display.document import Part, Remark
from ..display.page import Page
from ..display.sheet import Sheet, show_text
from ..teaching import worksheet
from ..teaching.quiz_page import quiz_page
from ..teaching.quiz_solutions import QuizQuestion
from ..teaching.recorded import SearchedTree
from ..teaching.search_drawing import draw_search
from ..teaching.search_page import search_page
from ..teaching.tree_texts import decimal, empty_table, phrase, reader_texts, search_name, title_of


class SearchDrawing:
    """A tree with chance nodes, three players or queens, and its searches.

    :param tree: the tree with its searches, whose steps are recorded.
    """

    def __init__(self, tree: SearchedTree) -> None:
        self.tree = tree

    @property
    def values(self) -> dict[str, str]:
        """The result of each search as text: a fraction, three numbers, or a cost."""
        return {name: run.result for name, run in self.tree.runs.items()}

    @property
    def nodes(self) -> int:
        """The number of nodes in the tree."""
        return self.tree.root.size

    def svg(
        self,
        search: str | None = None,
        language: str = "",
        *,
        is_solved: bool = True,
        title: str | None = None,
    ) -> str:
        """The tree as SVG, with the results of a search, by default the tree's usual one.

        :param is_solved: False draws the tree alone.
        :param title: replaces the usual title.
        :raises ValueError: if the tree has no such search.
        """
        if search is not None and search not in self.tree.runs:
            raise ValueError(f"search is one of {', '.join(self.tree.runs)}, not {search!r}")
        return draw_search(self.tree, search, language or reader_language(), is_solved, title)

    def html(
        self, language: str = "", *, title: str | None = None, has_results: bool = True
    ) -> Page:
        """A self-contained page that steps through the searches, first shown in `en` or `de`.

        :param title: replaces the usual title.
        :param has_results: whether the page offers a table of the results.
        """
        return search_page(self.tree, language or reader_language(), title, has_results)

    def table(self) -> Sheet:
        """What each search needed and found."""
        sheet = empty_table()
        for name, run in self.tree.runs.items():
            cells = map(str, (run.nodes, run.leaves, run.cutoffs))
            sheet.add(search_name(name), *cells, str(decimal(run.result, reader_texts())))
        return sheet

    def document(self) -> Iterator[Part]:
        """What each search of a tree needed and self."""
        yield Remark(title_of(self.tree, reader_language()), "strong")
        yield phrase(reader_texts(), f"note_{self.tree.kind}", self.tree.values) + "\n"
        yield self.table()

    def as_json(self) -> dict[str, object]:
        """The results as data."""
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
        return f"{title_of(self.tree, reader_language())}\n{self.table().text()}"

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

    def html(self, language: str = "", *, title: str | None = None) -> Page:
        """A page that asks the questions and checks the answers, first shown in `en` or `de`.

        :param title: replaces the usual title.
        """
        return quiz_page(self._questions, language or reader_language(), title)

    def worksheet(self, language: str = "", *, title: str | None = None) -> Page:
        """A printable page with the trees and space for answers, without solutions.

        :param title: replaces the usual title.
        """
        return worksheet.worksheet(self._questions, language or reader_language(), title)

    def key(self, language: str = "", *, title: str | None = None) -> Page:
        """The worksheet's solutions, as a printable page."""
        return worksheet.key(self._questions, language or reader_language(), title)

    def lines(self) -> Iterator[str]:
        """Each question in one line, as on the page."""
        for number, question in enumerate(self._questions, 1):
            yield f"{number:2} {question.text(reader_texts())}"

    document = lines

    def as_json(self) -> list[dict[str, object]]:
        """The questions with their solutions, as data.

        A solution that consists of nodes lists their numbers in preorder, from 0 at the root;
        `names` has their labels.
        """
        return [
            {
                "ask": question.asked.ask,
                "text": question.text(reader_texts()),
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
        words = reader_texts()
        lines = (f"<li>{escape(question.text(words))}</li>" for question in self._questions)
        return f"<ol>{''.join(lines)}</ol>"
