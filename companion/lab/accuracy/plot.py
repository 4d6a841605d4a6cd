"""Reliability diagrams: how often tiles are right against how sure the reader was of them."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib import rc_context
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from companion.lab.accuracy.scores import PhotoScore, reliability

CURVE_EDGES = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0)
"""Edges of the bins of a curve: wide where few tiles lie, so that a dot is not one tile's luck."""

MIN_DOT_PT2, DOT_PT2_A_DECADE = 8.0, 14.0
"""Area of a dot for one tile, and what each tenfold of tiles adds, in square points."""


def reliability_svg(groups: Mapping[str, Sequence[PhotoScore]]) -> str:
    """The reliability curves of groups of photos as an SVG picture; the same scores give the same file.

    A dot stands for the tiles of a bin of confidences: their mean confidence, the share of them that is right.
    """
    # Fixed, or the ids in the file would change with every run.
    with rc_context({"svg.hashsalt": "reliability", "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure = Figure(figsize=(8.4, 4.4), layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.subplots()
        axes.plot([0, 1], [0, 1], linestyle="--", linewidth=1, color="0.6")
        for name, scores in groups.items():
            bins = reliability(scores, CURVE_EDGES)
            confidences, shares = [point.confidence for point in bins], [point.right for point in bins]
            sizes = [MIN_DOT_PT2 + DOT_PT2_A_DECADE * np.log10(point.tiles) for point in bins]
            tiles = sum(point.tiles for point in bins)
            (line,) = axes.plot(confidences, shares, linewidth=1.2, label=f"{name}, {tiles} tiles")
            axes.scatter(confidences, shares, s=sizes, color=line.get_color(), alpha=0.75)
        axes.set(xlabel="confidence of a tile", ylabel="tiles wholly right", xlim=(0, 1.01), ylim=(0, 1.01))
        axes.set_aspect("equal")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(PercentFormatter(1.0))
        axes.grid(color="0.9")
        figure.legend(title="larger dots: more tiles", loc="outside right center", frameon=False)
        picture = io.StringIO()
        figure.savefig(picture, format="svg", metadata={"Date": None})
    # Matplotlib leaves blanks at the ends of lines.
    return "".join(f"{line.rstrip()}\n" for line in picture.getvalue().splitlines())
