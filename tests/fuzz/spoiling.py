"""Texts spoilt as slips, broken disks and people who mean harm spoil them."""

from __future__ import annotations

import random

HOSTILE = (
    *(
        b"\x1b]0;title\x07",
        b"\x1b[2J\x1b[31m",
        b"\x9b31m",
        b"\xc2\x9b31m",
        b"\xe2\x80\xae",
        b"\0",
        b"\r",
    ),
    *(
        b"\x08\x08",
        b"\xff\xfe",
        b"\xed\xa0\x80",
        b"\xf0\x9f\x90\xab",
        b"\xe2\x80\xa8",
        b"\xef\xbb\xbf",
    ),
    *(
        b"9" * 400,
        b"-1",
        b"0",
        b"1e999",
        b"nan",
        b"99999",
        b"{",
        b"[[",
        b'"',
        b"'''",
        b"=",
        b":",
        b";",
        b"/",
    ),
    *(
        b"#",
        b"@K@K",
        b"^9",
        b"#9",
        b">",
        b",",
        b"\n\n",
        b"x" * 5000,
        b"a." * 300,
        b"[" * 300,
        b"%s%n",
    ),
    *(b"../../x", b"\xcc\x81" * 50, b"\xd9\xa3", b"\xc2\xb2", b"\xef\xbc\x91"),
)
"""Bytes that programs trip over: controls, what is no UTF-8, numbers without measure, digits of other scripts."""


def spoilt(rng: random.Random, content: bytes) -> bytes:
    """A text spoilt in some places, in its letters, words or lines; now and then not at all."""
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3, 8))):
        way = rng.randrange(8)
        place = rng.randrange(len(content) + 1)
        if way == 0:
            content = content[:place] + rng.choice(HOSTILE) + content[place:]
        elif way == 1:
            content = content[:place] + bytes([rng.randrange(32, 127)]) + content[place + 1 :]
        elif way == 2:
            content = content[:place] + content[place + rng.choice((1, 2, 10, 200)) :]
        elif way == 3 and rng.random() < 0.3:
            content = content[:place]
        elif way <= 5:
            lines = content.split(b"\n")
            first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
            if way == 4:
                lines[first], lines[second] = lines[second], lines[first]
            else:
                lines.insert(first, lines[second])
            content = b"\n".join(lines)
        else:
            words = content.split(b" ")
            first, second = rng.randrange(len(words)), rng.randrange(len(words))
            if way == 6:
                words[first] = words[second]
            else:
                words[first] = rng.choice((rng.choice(HOSTILE), words[first] * 2, b"", words[first].swapcase()))
            content = b" ".join(words)
    return content
