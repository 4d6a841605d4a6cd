"""What tests of print-outs share: the drawn documents themselves, and pictures of their pages."""

from __future__ import annotations

import cv2
import numpy as np
import pypdfium2
import pytest

from companion.printing.core.page import Document
from companion.printing.core.typefaces import Fonts


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Document]:
    """Every document finished during the test, with the texts written on it."""
    documents: list[Document] = []
    finish = Document.to_bytes

    def keep(self: Document) -> bytes:
        documents.append(self)
        return finish(self)

    monkeypatch.setattr(Document, "to_bytes", keep)
    return documents


@pytest.fixture
def bare_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that has no fonts at all, so that only the bundled ones are found."""
    monkeypatch.setattr("companion.printing.core.typefaces.system_folders", lambda: ())


@pytest.fixture
def fonts() -> Fonts:
    """The bundled fonts alone."""
    return Fonts(system=())


def picture(pdf: bytes, dpi: int) -> np.ndarray:
    """The first page as a grey picture."""
    with pypdfium2.PdfDocument(pdf) as document:
        return np.asarray(document[0].render(scale=dpi / 72, grayscale=True).to_numpy()).copy()


def photographed(page: np.ndarray, *, seed: int = 5) -> np.ndarray:
    """The page, grey or in colour, as a phone sees it: tilted, dimmer on one side, soft, noisy, compressed."""
    height, width = page.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen = corners + np.array([[0.09, 0.06], [-0.03, 0.02], [-0.07, -0.03], [0.02, -0.08]]) * (width, height)
    tilted = cv2.warpPerspective(
        page, cv2.getPerspectiveTransform(corners, seen.astype(np.float32)), (width, height), borderValue=(90, 110, 140)
    )
    light = np.linspace(0.65, 1.0, width).reshape(1, width, *[1] * (page.ndim - 2))
    noise = np.random.default_rng(seed).normal(0, 5, page.shape)
    soft = cv2.GaussianBlur(tilted, (0, 0), 1.0) * light + noise
    ok, jpeg = cv2.imencode(".jpg", np.clip(soft, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 70])
    assert ok
    seen_again = cv2.imdecode(jpeg, cv2.IMREAD_UNCHANGED)
    assert seen_again is not None
    return seen_again


def codes_in(photo: np.ndarray) -> set[str]:
    """What QR codes in the photo say: OpenCV's two detectors each miss codes that the other finds."""
    detectors = cv2.QRCodeDetectorAruco(), cv2.QRCodeDetector()
    return {text for detector in detectors for text in detector.detectAndDecodeMulti(np.ascontiguousarray(photo))[1]}
