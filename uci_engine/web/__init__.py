"""The board in the browser: a local server, the session it holds, and the page it serves."""
