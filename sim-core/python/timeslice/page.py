"""The page as one file, and how the package ``timeslice-page`` keeps it: in a third of the room.

What stands in the page as base64 lies in ``page.xz`` as it is, and its WebAssembly packages, which hold much of the same code,
lie there unpacked, so that they are compressed together. ``unpacked`` makes the page of it again: the same but for how its
packages are compressed, and for the hash of its script by which the page allows that script.

``python page.py timeslice.html page.xz`` packs it, when a wheel is made.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import lzma
import re
import sys
from pathlib import Path

_DATA = re.compile(rb"(data:[a-z0-9/]+;base64,)([A-Za-z0-9+/]{1000,}={0,2})")
_PACKAGE = b"data:application/gzip"
_POLICY = re.compile(rb"(?<=script-src 'sha256-)[A-Za-z0-9+/=]+")

_FILTERS = [
    # The window holds the whole page. WebAssembly is aligned to nothing.
    {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 8 << 20, "lc": 4, "pb": 0}
]


def _sealed(html: bytes) -> bytes:
    """A page whose policy allows its script, of which there is one."""
    ends = [match.start() for match in re.finditer(rb"</script>", html)]
    begin = html.find(b">", html.find(b"<script")) + 1
    if len(ends) != 1 or not begin:
        raise ValueError("the page as one file must have one script")
    digest = base64.b64encode(hashlib.sha256(html[begin : ends[0]]).digest())
    return _POLICY.sub(digest, html, count=1)


def packed(html: bytes) -> bytes:
    """A page as that package keeps it."""
    if _sealed(html) != html:
        raise ValueError("the page does not allow its script")
    texts, places, contents = [], [], []
    end = 0
    for match in _DATA.finditer(html):
        is_package = match[1].startswith(_PACKAGE)
        content = base64.b64decode(match[2])
        texts.append(html[end : match.start(2)])
        contents.append(gzip.decompress(content) if is_package else content)
        places.append((len(texts[-1]), len(contents[-1]), is_package))
        end = match.end(2)
    head = json.dumps(places).encode()
    whole = b"".join([head, b"\n", *texts, *contents, html[end:]])
    return lzma.compress(whole, filters=_FILTERS)


def unpacked(kept: bytes) -> bytes:
    """The page of which ``packed`` made this."""
    head, _, whole = lzma.decompress(kept).partition(b"\n")
    places = json.loads(head)
    text_at, content_at = 0, sum(length for length, _, _ in places)
    parts = []
    for text, content, is_package in places:
        parts.append(whole[text_at : text_at + text])
        text_at += text
        data = whole[content_at : content_at + content]
        content_at += content
        parts.append(base64.b64encode(gzip.compress(data, 6, mtime=0) if is_package else data))
    parts.append(whole[content_at:])
    return _sealed(b"".join(parts))


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(packed(Path(sys.argv[1]).read_bytes()))
