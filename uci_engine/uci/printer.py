"""Writes events as lines of UCI."""

from __future__ import annotations

from ..base.events import BestMove, CurrentMove, Event, Info, Introduction, Notice, Source
from ..base.scores import LOWER_BOUND, NO_BOUND, UPPER_BOUND, is_mate, mate_in_moves
from ..base.text import on_one_line

#: Maximum length of an `info string`, in characters; the middle of a longer one is omitted.
MAX_MESSAGE = 400

#: UCI's words for bounds; an exact score has none.
BOUND_WORDS = {LOWER_BOUND: "lowerbound", UPPER_BOUND: "upperbound"}


def to_uci(event: Event) -> str:
    """One event as UCI text; only the output of perft and bench has several lines."""
    if isinstance(event, Info):
        return _info(event)
    if isinstance(event, BestMove):
        ponder = f" ponder {event.ponder}" if event.move and event.ponder else ""
        return f"bestmove {event.move or '(none)'}{ponder}"
    if isinstance(event, CurrentMove):
        return f"info depth {event.depth} currmove {event.move} currmovenumber {event.number}"
    if isinstance(event, Notice):
        return f"info string {_one_line(event.text)}"
    if isinstance(event, Source):
        return f"info string lichess-bot-source:{event.name}"
    if isinstance(event, Introduction):
        return f"info string {_one_line(event.name)}"
    return event.text


def _one_line(text: str) -> str:
    """A message on one line: parts of it, such as a file name, may come from outside."""
    text = on_one_line(text)
    if len(text) > MAX_MESSAGE:
        text = f"{text[: MAX_MESSAGE // 2]}...{text[-MAX_MESSAGE // 2 :]}"
    return text


def score_to_uci(score: int) -> str:
    """`cp N` in centipawns, or `mate N` in full moves."""
    return f"mate {mate_in_moves(score)}" if is_mate(score) else f"cp {score}"


def _info(info: Info) -> str:
    bound = f" {BOUND_WORDS[info.bound]}" if info.bound in BOUND_WORDS else ""
    words = [f"info depth {info.depth} seldepth {info.selective_depth} multipv {info.multipv}"]
    if info.bound != NO_BOUND:
        words.append(f"score {score_to_uci(info.score)}{bound}")
    if info.wdl:
        words.append("wdl {} {} {}".format(*info.wdl))
    words.append(f"nodes {info.nodes} nps {info.nodes_per_second} hashfull {info.hashfull}")
    words.append(f"tbhits {info.tablebase_hits} time {info.time_ms}")
    if info.pv:
        words.append("pv " + " ".join(info.pv))
    return " ".join(words)
