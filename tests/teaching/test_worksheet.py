"""Questions on paper: the sheet has all of them, unsolved, and the key uses the same names for
nodes.
"""

from __future__ import annotations

import json
import re

import pytest
from command_line import Command

import halbzug
from halbzug.teaching.quiz_solutions import QuizQuestion

pytestmark = pytest.mark.any_build

LESSON = """\
ask: cut
tree: (((5 3) (6 9 1)) ((2 4) (7 8)) ((1 0) (9 6)))
node: C

ask: value
tree: ((3 5) (2 71))
node: C2

ask: move
tree: matches 5
node: 2

ask: horizon
position: hidden
"""


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<style>.*?</style>|<[^>]+>", " ", html, flags=re.DOTALL))


def test_the_sheet_has_all_questions_and_no_solution() -> None:
    quiz = halbzug.explain.quiz(LESSON)
    sheet = quiz.worksheet(title="Class <10b>")
    words = text_of(sheet)
    for number in range(1, 5):
        assert f" {number}. " in words
    assert sheet.count('<div class="rule">') == 12 and "Class &lt;10b&gt;" in sheet
    assert "71" not in words and "&#8804;" not in words and "slash" not in sheet
    assert "H1" not in words and "\N{INFINITY}" not in words
    assert "The node has a question mark beside it." in words


def test_the_key_names_nodes_as_the_trees_do() -> None:
    key = text_of(halbzug.explain.quiz(LESSON).key("de"))
    assert "die Lösungen" in key and " H1; H2 " in key and " 71 " in key
    assert " der Knoten nach 2 2 " in key and " Sxd5 " in key


def test_all_our_questions_are_printed() -> None:
    quiz = halbzug.explain.quiz()
    for language in ("en", "de"):
        for html in (quiz.worksheet(language), quiz.key(language)):
            assert html.count("<section>") == len(quiz) and "{" not in text_of(html)


def test_json_has_the_names_and_the_language(halbzug: Command) -> None:
    halbzug.write("lesson.txt", LESSON)
    (found,) = halbzug.json("explain", "questions", "lesson.txt", "--json", "--language", "de")
    assert found[0]["names"] == ["H1", "H2"] and found[0]["solution"] == [14, 15]
    assert found[2]["names"] == ["2 2"]
    assert found[1]["text"] == "Was ist C2 wert?"
    assert json.dumps(found)


def test_the_command_writes_both(halbzug: Command) -> None:
    halbzug.write("lesson.txt", LESSON)
    halbzug.output("explain", "questions", "lesson.txt", "--worksheet", "a.html", "--key", "b.html")
    assert "H1; H2" in (halbzug.folder / "b.html").read_text(encoding="utf-8")
    assert "H1; H2" not in (halbzug.folder / "a.html").read_text(encoding="utf-8")


def test_a_solution_that_is_none_is_stated_in_words() -> None:
    question: QuizQuestion = halbzug.explain.quiz("ask: cut\ntree: (1 2)")[0]
    assert question.named_solution({"none_at_all": "none", "or": " or "}) == "none"
