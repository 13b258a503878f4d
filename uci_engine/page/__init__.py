"""The board of our web pages, in reports and live: its script and style, its pieces, its data."""
