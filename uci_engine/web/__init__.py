"""The board in the browser: a server for pages of this machine, its session, and its page."""
