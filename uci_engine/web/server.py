"""The board's server: for local pages that know a secret, and nobody else.

It listens on the loopback interface only. Every address begins with a secret; requests under
another host name (DNS rebinding) or from a page of another origin are refused. The page loads
nothing from elsewhere, and its Content-Security-Policy enforces that. The server exits some time
after its last page has closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import secrets
import socket
import webbrowser
from collections.abc import AsyncIterator, Callable
from importlib.resources import files
from typing import Any

import chess
import chess.svg
import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketClose, WebSocketDisconnect

from ..client.protocol import ignore_engines
from ..display import assets
from .page_messages import Message
from .page_session import BoardSession

_HOST = "127.0.0.1"

#: How often to check whether a page is still open, in seconds.
_LOOK_SECONDS = 0.5

#: With this many unread messages, a page misses further analysis lines.
_MAX_WAITING = 200

#: With this many unread messages, a page is disconnected.
_MAX_UNREAD = 2000

#: Maximum length of a page's message, in bytes.
_MAX_MESSAGE = 1 << 24

_CONTENT_TYPES = {
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "html": "text/html; charset=utf-8",
    "pgn": "application/x-chess-pgn",
}


class Server:
    """A server that listens, but does not answer yet.

    :param linger_seconds: how long to keep running after the last page has closed.
    :param port: on the loopback interface; 0 takes any free one.
    :raises OSError: if the port is not available.
    """

    def __init__(self, linger_seconds: float, port: int = 0) -> None:
        self._linger_seconds = linger_seconds
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            self._socket.bind((_HOST, port))
            self._socket.listen()  # a client that knows the address may connect at once
        except OSError:
            self._socket.close()
            raise
        self._host = f"{_HOST}:{self._socket.getsockname()[1]}"
        self._secret = secrets.token_urlsafe(24)
        # Other users can see the browser's command line, so its address works for one request only.
        self._ticket = secrets.token_urlsafe(24)
        self._pages: dict[WebSocket, asyncio.Queue[str | None]] = {}
        self._had_page = asyncio.Event()
        self._session: BoardSession | None = None
        self._app = self._make_app()

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{self._host}/{self._secret}/"

    async def serve(
        self,
        begin: Callable[[Callable[[Message], None]], BoardSession],
        opens_browser: bool,
        announce: Callable[[str], None],
    ) -> None:
        """Serve until the last page has closed, or an interrupt.

        :param begin: makes the session, given the function to call with messages for all pages.
        :param announce: called with the page's address once the server accepts requests.
        """
        asyncio.get_running_loop().set_exception_handler(ignore_engines)
        self._session = begin(self._broadcast)
        config = uvicorn.Config(
            self._guard,
            interface="asgi3",
            http="h11",
            ws="websockets-sansio",
            ws_max_size=_MAX_MESSAGE,
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=1,
        )
        server = _UvicornServer(config)
        watching = asyncio.ensure_future(self._watch(server))
        if opens_browser:
            address = f"http://{self._host}/{self._ticket}"
            asyncio.get_running_loop().run_in_executor(None, _open_browser, address)
        try:
            announce(self.address)
            await server.serve([self._socket])
        finally:
            watching.cancel()
            await self._session.close()
            self._socket.close()

    async def _watch(self, server: uvicorn.Server) -> None:
        """Stop the server after a while without pages; wait indefinitely for the first one."""
        await self._had_page.wait()
        idle_seconds = 0.0
        while idle_seconds < self._linger_seconds:
            await asyncio.sleep(_LOOK_SECONDS)
            idle_seconds = 0.0 if self._pages else idle_seconds + _LOOK_SECONDS
        server.should_exit = True

    # -- access control -------------------------------------------------------------------------

    async def _guard(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on requests from our own page; refuse all others."""
        if scope["type"] not in ("http", "websocket"):
            return
        if not self._is_allowed(scope):
            refusal: Any = Response(status_code=403)
            if scope["type"] == "websocket":
                refusal = WebSocketClose(1008)
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_allowed(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        if headers.getlist("host") != [self._host]:
            return False
        origins = headers.getlist("origin")
        own = [f"http://{self._host}"]
        if origins != own and (origins or scope["type"] == "websocket"):
            return False
        word = scope["path"].removeprefix("/").partition("/")[0]
        is_ticket = bool(self._ticket) and _is_same(word, self._ticket)
        return _is_same(word, self._secret) or (is_ticket and scope["type"] == "http")

    def _make_app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/{secret}/", self._page),
                Route("/{secret}/{name}", self._file),
                Route("/{ticket}", self._redirect),
                WebSocketRoute("/{secret}/live", self._live),
            ]
        )

    async def _redirect(self, request: Request) -> Response:
        if not self._ticket or request.path_params["ticket"] != self._ticket:
            return Response(status_code=403)
        self._ticket = ""
        return RedirectResponse(self.address, status_code=303, headers=self._headers())

    async def _page(self, request: Request) -> Response:
        text = _read("board.html").replace("$pieces", assets.pieces())
        return Response(text, media_type="text/html", headers=self._headers())

    async def _file(self, request: Request) -> Response:
        name = request.path_params["name"]
        contents: dict[str, Callable[[], str]] = {
            "component.js": assets.script,
            "component.css": assets.style,
            "board.js": lambda: _read("board.js"),
            "board.css": lambda: _read("board.css"),
            "icon.svg": _icon,
        }
        made: bytes | str | None = self._session.review_file(name) if self._session else None
        if made is None and name in contents:
            made = contents[name]()
        if made is None:
            return Response(status_code=404)
        kind = _CONTENT_TYPES[name.rpartition(".")[2]]
        return Response(made, media_type=kind, headers=self._headers())

    def _headers(self) -> dict[str, str]:
        policy = (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            f"connect-src ws://{self._host}; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
        )
        return {
            "Content-Security-Policy": policy,
            "Cache-Control": "no-store",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
        }

    # -- pages ----------------------------------------------------------------------------------

    def _broadcast(self, message: Message) -> None:
        text = json.dumps(message, separators=(",", ":"))
        for page, waiting in list(self._pages.items()):
            if waiting.qsize() > _MAX_UNREAD:
                del self._pages[page]
                waiting.put_nowait(None)
            elif waiting.qsize() < _MAX_WAITING or message["type"] != "analysis":
                waiting.put_nowait(text)

    async def _live(self, page: WebSocket) -> None:
        assert self._session is not None
        await page.accept()
        async with self._joined(page, self._session) as waiting:

            def reply(message: Message) -> None:
                waiting.put_nowait(json.dumps(message))

            for message in self._session.greeting():
                reply(message)
            with contextlib.suppress(WebSocketDisconnect):
                while True:
                    text = await page.receive_text()
                    try:
                        asked = json.loads(text)
                    except (ValueError, RecursionError):
                        asked = None
                    await self._session.handle(asked, reply)

    @contextlib.asynccontextmanager
    async def _joined(
        self, page: WebSocket, session: BoardSession
    ) -> AsyncIterator[asyncio.Queue[str | None]]:
        """Register a page for all messages; yields the queue of those not yet sent."""
        waiting: asyncio.Queue[str | None] = asyncio.Queue()
        self._pages[page] = waiting
        self._had_page.set()
        session.watch(True)
        writing = asyncio.ensure_future(_write(page, waiting))
        try:
            yield waiting
        finally:
            self._pages.pop(page, None)
            session.watch(bool(self._pages))
            writing.cancel()


class _UvicornServer(uvicorn.Server):
    """A server that leaves interrupts to asyncio, like the rest of the program."""

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        """Install no signal handlers."""
        yield


async def _write(page: WebSocket, waiting: asyncio.Queue[str | None]) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while (text := await waiting.get()) is not None:
            await page.send_text(text)
        await page.close(1013)


def _is_same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _open_browser(address: str) -> None:
    with contextlib.suppress(webbrowser.Error, OSError):
        webbrowser.open(address)


def _read(name: str) -> str:
    return (files("halbzug.web") / "page" / name).read_text(encoding="utf-8")


def _icon() -> str:
    return str(chess.svg.piece(chess.Piece(chess.KNIGHT, chess.WHITE)))
