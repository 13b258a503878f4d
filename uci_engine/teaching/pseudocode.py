"""The German lines of the pseudocode that the pages of drawn trees highlight as it runs."""

from __future__ import annotations

from collections.abc import Mapping

#: Each English line, followed by the German one; placeholders are in braces.
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
  schranke = kosten + das Billigste der übrigen Spalten
  if bound ≥ the cheapest so far: give up
  wenn schranke ≥ das Billigste bisher: gib auf
    if the rest cannot bring the sum into the window: stop
    wenn der Rest die Summe nicht mehr ins Fenster bringt: hör auf
    if MAX or MIN has something better elsewhere: stop
    wenn MAX oder MIN anderswo Besseres hat: hör auf
    if another player has something better elsewhere: stop
    wenn ein anderer Spieler anderswo Besseres hat: hör auf
  if node is a leaf: return its value for the player to move
  wenn knoten ein Blatt ist: gib seinen Wert für den, der am Zug ist
  if table has node, or one like it: return what it says
  wenn knoten oder ein gleicher in der tabelle steht: gib das zurück
    v = -value(node after the move)
    w = -wert(knoten nach dem Zug)
    if v > best: best = v
    wenn w > bester: bester = w
    if the other has something better elsewhere: stop
    wenn der andere anderswo Besseres hat: hör auf
  table[node] = best; return best
  tabelle[knoten] = bester; gib bester zurück
function simulate():
funktion simuliere():
  node = root
  knoten = wurzel
  while all moves of node were tried:
  solange alle Züge von knoten versucht sind:
    node = child with most mean + c·sqrt(ln N / n)
    knoten = kind mit dem größten mittel + c·wurzel(ln N / n)
  add a move; play on by chance to the end
  füge einen Zug an; spiele zufällig bis zum Ende
  on the way back: n = n + 1, sum = sum + result
  auf dem Rückweg: n = n + 1, summe = summe + ergebnis
  while node has been judged:
  solange knoten beurteilt ist:
    node = child with most mean + c·p·sqrt(N) / (1 + n)
    knoten = kind mit dem größten mittel + c·p·wurzel(N) / (1 + n)
  judge node: p for each move, and its value
  beurteile knoten: p für jeden Zug, und seinen Wert
  on the way back: n = n + 1, sum = sum + value
  auf dem Rückweg: n = n + 1, summe = summe + wert
function walk(state):
funktion gehe(zustand):
  if state is an end: return what it pays
  wenn zustand ein Ende ist: gib zurück, was es einbringt
  for each move: v(move) = walk(state after it)
  für jeden Zug: w(zug) = gehe(zustand danach)
  value = mean of v, weighted by the strategy
  wert = mittel der w, gewichtet mit der strategie
  regret(move) += reach of the others · (v(move) - value)
  regret(zug) += weg der anderen · (w(zug) - wert)
  strategy = in proportion to the positive regrets
  strategie = im Verhältnis der positiven regrets
function pack(things):
funktion packe(gegenstände):
  if all is decided: keep the most valuable things
  wenn alles entschieden ist: merke die wertvollsten
  take the next thing, if it can be carried: pack
  nimm den nächsten Gegenstand, wenn er noch passt: packe
  leave it: pack
  lass ihn da: packe
  take the last decision back
  nimm die letzte Entscheidung zurück
  bound = value + the best of the rest, in part
  schranke = wert + das Beste vom Rest, in Teilen
  if bound ≤ the best so far: give up
  wenn schranke ≤ das Beste bisher: gib auf
""".splitlines()

#: German lines by the English ones.
GERMAN: Mapping[str, str] = dict(zip(_LINES[::2], _LINES[1::2], strict=True))

#: Words in their conditions.
_WORDS = {"v > best": "w > bester", "v < best": "w < bester", "v[": "w[", "best[": "bester[",
          ", or equal and": ", oder gleich und"}  # fmt: skip


def german_condition(condition: str) -> str:
    """The condition of a choice, such as `v > best`, in German."""
    for english, german in _WORDS.items():
        condition = condition.replace(english, german)
    return condition
