"""The theory at work: one position searched and judged with the techniques switched on in turn.

Nothing here searches or evaluates by itself. The techniques are switches of the one search
(`halbzug.search.settings`), and the terms are those of the one evaluation
(`halbzug.eval.features`).
"""
