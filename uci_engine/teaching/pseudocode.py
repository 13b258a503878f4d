"""The German lines of the pseudocode that the pages of drawn trees mark as it runs."""

from __future__ import annotations

from collections.abc import Mapping

#: Each English line, and below it the German one; what stands in braces is filled in.
_LINES = """\
function value(node{window}):
funktion wert(knoten{window}):
  if node is a leaf: return its evaluation
  wenn knoten ein Blatt ist: gib seine Bewertung zurück
  if table has {enough}: return its value
  wenn tabelle {enough} hat: gib den Wert zurück
  best = {start}
  bester = {start}
  for each move of node:
  für jeden Zug von knoten:
    v = value(node after the move{window})
    w = wert(knoten nach dem Zug{window})
    if v {better} best: best = v
    wenn w {better} bester: bester = w
    {bound} = {extreme}({bound}, best)
    {bound} = {extreme}({bound}, bester)
    if alpha ≥ beta: leave out the other moves
    wenn alpha ≥ beta: lass die übrigen Züge aus
  {store}return best
  {store}gib bester zurück
    if v {better} {bound}: {bound} = v
    wenn w {better} {bound}: {bound} = w
    if alpha ≥ beta: return {other}
    wenn alpha ≥ beta: gib {other} zurück
  return {bound}
  gib {bound} zurück
function value(node):
funktion wert(knoten):
  if node is a leaf: return its value
  wenn knoten ein Blatt ist: gib seinen Wert zurück
  best = none
  bester = keiner
    v = value(node after the move)
    w = wert(knoten nach dem Zug)
    if {condition}: best = v
    wenn {condition}: bester = w
  return best
  gib bester zurück
  mean = 0
  mittel = 0
  for each roll, with probability p:
  für jeden Wurf, mit Wahrscheinlichkeit p:
    mean = mean + p · value(node after the roll)
    mittel = mittel + p · wert(knoten nach dem Wurf)
  return mean
  gib mittel zurück
  if node is in the database: return what it says
  wenn knoten in der Datenbank steht: gib das zurück
function place(queens):
funktion setze(damen):
  if all queens stand: keep the cheaper ones
  wenn alle Damen stehen: merke die billigeren
  for each free square of the next column:
  für jedes freie Feld der nächsten Spalte:
    place(queens and one there)
    setze(damen und eine dort)
  if there is none: go back
  wenn es keines gibt: geh zurück
  take the last queen away
  nimm die letzte Dame weg
  bound = cost + the least of the other columns
  schranke = kosten + das Wenigste der übrigen Spalten
  if bound ≥ the cheapest so far: give up
  wenn schranke ≥ das Billigste bisher: gib auf
""".splitlines()

#: German lines by the English ones.
GERMAN: Mapping[str, str] = dict(zip(_LINES[::2], _LINES[1::2], strict=True))

#: Words of the conditions in them.
_WORDS = {"v > best": "w > bester", "v < best": "w < bester", "v[": "w[", "best[": "bester[",
          ", or equal and": ", oder gleich und"}  # fmt: skip


def german_condition(condition: str) -> str:
    """The condition of a choice, such as `v > best`, in German."""
    for english, german in _WORDS.items():
        condition = condition.replace(english, german)
    return condition
