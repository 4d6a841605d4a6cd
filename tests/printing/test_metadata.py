"""What PDFs say of themselves is read back by another library, whatever letters a title has."""

from __future__ import annotations

import io

import pikepdf
import pytest

from companion.printing.core.geometry import Box
from companion.printing.core.metadata import xmp_packet
from companion.printing.core.page import Document
from companion.printing.core.typefaces import Fonts


@pytest.mark.parametrize("title", ["Five Tribes", "П'ять племен & <друзі>", "다섯 부족 {x}", "a\x07b", "]]> ?>"])
def test_title_and_language_are_in_the_metadata(title: str) -> None:
    page = Document(Box(0, 0, 100, 100), Fonts(system=()), title=title, language="uk")
    page.text(Box(10, 10, 80, 5), "x", 9)
    with pikepdf.open(io.BytesIO(page.to_bytes())) as file:
        metadata = file.open_metadata()
        assert metadata["dc:title"] == title.replace("\x07", "")
        assert list(metadata["dc:language"]) == ["uk"]
        assert metadata["dc:format"] == "application/pdf"
        assert metadata["pdf:Producer"] == str(file.docinfo["/Producer"])


def test_the_packet_is_marked_as_one() -> None:
    packet = xmp_packet(title="t", language="en", author="a", producer="p")
    assert packet.startswith(b'<?xpacket begin="\xef\xbb\xbf"') and packet.endswith(b'<?xpacket end="w"?>')
