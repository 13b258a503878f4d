"""Describes operating system errors in our own words.

Chess programs read these messages: XBoard concludes from "No such file" or "Permission denied" in
any line that the engine failed to start.
"""

from __future__ import annotations

import errno
import re

_WORDS = {
    errno.ENOENT: "{what} is missing",
    errno.ENOTDIR: "not a folder",
    errno.EISDIR: "it is a folder",
    errno.EACCES: "access is not allowed",
    errno.EPERM: "access is not allowed",
    errno.EROFS: "it is read-only",
    errno.ENOSPC: "the disk is full",
    errno.EFBIG: "the file would be too large",
    errno.EIO: "the disk has failed",
    errno.ELOOP: "a link that leads nowhere",
    errno.ENAMETOOLONG: "the name is too long",
    errno.EMFILE: "too many files are open",
    errno.ENFILE: "too many files are open",
    errno.ENOMEM: "there is not enough memory",
    errno.EAGAIN: "no more processes or threads are allowed",
}


def reason_of(error: BaseException, what: str = "file") -> str:
    """An error in a few words, without its class and the file name.

    :param what: the word for what may be missing: `file` or `folder`.
    """
    number = getattr(error, "errno", None)
    if number is None:
        return words_of(error)
    words = _WORDS.get(number, f"error {errno.errorcode.get(number, number)}")
    return words.format(what=what)


def words_of(error: BaseException) -> str:
    r"""The text of an error on one line; without a text, its class in words.

    >>> words_of(ValueError("no such\n move")), words_of(TimeoutError())
    ('no such move', 'timeout error')
    """
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(error).__name__).lower()
    return " ".join(str(error).split()) or name
