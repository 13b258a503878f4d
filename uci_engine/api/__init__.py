"""What `import halbzug` shows: the engine as python-chess has engines, and one-liners."""
