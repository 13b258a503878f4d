"""Runs `halbzug` in forks of a process that has imported what every command imports.

A fork is a process of its own, with its own arguments, streams, folder and exit code. Only the
start of Python and the imports, most of what a short command takes, happen once. Tests of these use
fresh processes.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

#: A request is a JSON object in one message: the folder, and the arguments.
_LONGEST_REQUEST = 1 << 20


class Template:
    """The process that has imported everything.

    :param environment: what it has, and all its forks.
    """

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment
        self._socket, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with its:
            number = its.fileno()
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(number)],
                stdin=subprocess.PIPE,  # like those of its forks: Python asks at its start
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                pass_fds=[number],
            )
        self._lock = threading.Lock()

    def run(
        self, folder: Path, arguments: list[str], stdin: str, timeout_seconds: float
    ) -> subprocess.CompletedProcess[str] | None:
        """Run one command in a fork, as `subprocess.run` would run it.

        :returns: None if another thread has one running.
        :raises subprocess.TimeoutExpired: if it takes longer; it has been killed then.
        """
        if not self._lock.acquire(blocking=False):
            return None
        try:
            return self._run(folder, arguments, stdin, timeout_seconds)
        finally:
            self._lock.release()

    def _run(
        self, folder: Path, arguments: list[str], stdin: str, timeout_seconds: float
    ) -> subprocess.CompletedProcess[str]:
        request = json.dumps({"folder": str(folder), "arguments": arguments}).encode()
        assert len(request) < _LONGEST_REQUEST
        its_input, our_input = os.pipe()
        our_output, its_output = os.pipe()
        our_errors, its_errors = os.pipe()
        its = [its_input, its_output, its_errors]
        try:
            socket.send_fds(self._socket, [request], its)
        finally:
            for number in its:
                os.close(number)
        pid = int(self._socket.recv(32))
        with ThreadPoolExecutor(3) as threads:
            threads.submit(_write, our_input, stdin)
            output = threads.submit(_read, our_output)
            errors = threads.submit(_read, our_errors)
            self._socket.settimeout(timeout_seconds)
            try:
                code = int(self._socket.recv(32))
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                self._socket.settimeout(None)
                self._socket.recv(32)
                raise subprocess.TimeoutExpired(arguments, timeout_seconds) from None
            return subprocess.CompletedProcess(arguments, code, output.result(), errors.result())

    def close(self) -> None:
        """End it."""
        self._socket.close()
        self._process.communicate()


def _write(descriptor: int, text: str) -> None:
    with contextlib.suppress(BrokenPipeError), _opened(descriptor, "w") as stream:
        stream.write(text)


def _read(descriptor: int) -> str:
    with _opened(descriptor, "r") as stream:
        return stream.read()


def _opened(descriptor: int, mode: str) -> IO[str]:
    return open(descriptor, mode, encoding="utf-8")


def _serve(requests: socket.socket) -> None:
    """Fork for every request, until nobody can ask any more."""
    from halbzug import __main__, loading

    loading.use_own_python_chess()
    loading.load("halbzug.search.search")
    loading.load("halbzug.commands.app")
    while True:
        message, descriptors, _, _ = socket.recv_fds(requests, _LONGEST_REQUEST, 3)
        if not message:
            return
        pid = os.fork()
        if not pid:
            requests.close()
            for number, descriptor in enumerate(descriptors):
                os.dup2(descriptor, number)
                os.close(descriptor)
            request = json.loads(message)
            os.chdir(request["folder"])
            sys.argv = ["halbzug", *request["arguments"]]
            sys.exit(__main__.main())
        for descriptor in descriptors:
            os.close(descriptor)
        requests.send(str(pid).encode())
        status = os.waitpid(pid, 0)[1]
        requests.send(str(os.waitstatus_to_exitcode(status)).encode())


if __name__ == "__main__":
    sys.path[0] = ""  # as for `python -m halbzug`
    from halbzug.script_folder import put_last

    put_last()
    _serve(socket.socket(fileno=int(sys.argv[1])))
