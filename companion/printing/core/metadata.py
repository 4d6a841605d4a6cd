"""What a PDF says of itself as XMP (ISO 16684-1): its title, language and maker, for viewers and catalogues.

It is written by hand: pikepdf's own editor of metadata takes as long to load as a page takes to draw.
"""

from __future__ import annotations

from companion.printing.core.xml import xml_escaped

_PACKET = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>
<dc:language><rdf:Bag><rdf:li>{language}</rdf:li></rdf:Bag></dc:language>
<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>
<pdf:Producer>{producer}</pdf:Producer>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>"""


def xmp_packet(*, title: str, language: str, author: str, producer: str) -> bytes:
    """The metadata of a PDF as the bytes of its stream; `language` is a code such as "uk"."""
    said = {"title": title, "language": language, "author": author, "producer": producer}
    return _PACKET.format(**{name: xml_escaped(text) for name, text in said.items()}).encode("utf-8")
