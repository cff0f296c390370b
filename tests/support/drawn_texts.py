"""The texts of a picture, and whether one lies on another."""

from itertools import combinations

from matplotlib.text import Text


def texts_of(figure):
    """All texts that are drawn, each with its box in pixels."""
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    found = []
    for text in figure.findobj(Text):
        if not text.get_text().strip() or not text.get_visible():
            continue
        found.append((text, text.get_window_extent(renderer)))
    hidden = {id(label) for label in unused_tick_labels(figure)}
    return [(text, box) for text, box in found if id(text) not in hidden]


def unused_tick_labels(figure):
    """Labels of ticks outside the limits, or of a side that has none: made, but not drawn."""
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
                outside = not low <= tick.get_loc() <= high
                for label in (tick.label1, tick.label2):
                    if outside or not label.get_visible():
                        yield label


def overlaps(one, other):
    wide = min(one.x1, other.x1) - max(one.x0, other.x0)
    high = min(one.y1, other.y1) - max(one.y0, other.y0)
    return wide > 0.5 and high > 0.5


def texts_are_apart(figure):
    """Fail where a text leaves the paper or lies on another; there must be some."""
    boxes = texts_of(figure)
    assert len(boxes) > 5
    width, height = figure.canvas.get_width_height()
    for text, box in boxes:
        inside = box.x0 >= 0 and box.y0 >= 0 and box.x1 <= width and box.y1 <= height
        assert inside, f"{text.get_text()!r} leaves the paper: {box}"
    for (one, first), (other, second) in combinations(boxes, 2):
        assert not overlaps(first, second), f"{one.get_text()!r} lies on {other.get_text()!r}"
