"""One self-contained page of a run or of several runs side by side: no scripts, nothing from elsewhere."""

import base64
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from reports.style import STYLE
from reports.tables import (
    Readable,
    accuracy_table,
    capital,
    compare_runs,
    ladder_table,
    one_seat,
    pairs_table,
    played_at,
    readable,
    run_names,
    standings_frame,
    told,
)

if TYPE_CHECKING:
    import pandas as pd

    from bridzik_sim.results import Results
    from reports.figures import Chart

STANDINGS = "Points are means a game and seat; wins are shares of the seat-games, ties shared."
STANDINGS_OF_SHARES = (
    "Wins are shares of the seat-games, ties shared; points are means at the end of a game, fewer are better."
)
STANDINGS_OF_ROUNDS = (
    "Rounds won are shares of the rounds that its seats played; exits are shares of the seat-games that "
    "ended above the limit; resets are how often in a game a seat's points were just the limit and became 0."
)
STANDINGS_OF_NET = (
    "{measure} are means of what a seat's side has more than the other; wins are shares of the games in "
    "which it has more, ties half. Declares: share of the deals that its side declared; contracts made: of "
    "its own; tricks over: mean tricks above its contracts; passed out: share of deals without a contract."
)
STANDINGS_OF_IMPS = "Points are net points of a board."
STANDINGS_OF_RUBBERS = "Below and above the line: what its side wrote there in a rubber."
STANDINGS_OF_PAR = (
    "Par: net points a deal of best calls and cards after the draw phase; lost: what its own calls and cards "
    "gave away, a deal."
)
PAIRS = (
    "Difference: {lead}, {measure} on the same cards. Ahead: share of "
    "common tables at which it had more, ties half. Gain: how many times as many tables the same interval "
    "would need on fresh cards. Numbers: <code>crosstable.csv</code>"
)
LADDER = (
    "{measure} the strategy in one seat, in all of them in turn, with another in all others on the "
    "same deals, and the mean of those others; among its own, the mean of the whole table.{points} Numbers: "
    "<code>crosstable.csv</code>"
)
KINDS = (
    "Means a round, and shares of exact bids, over all rounds that the strategy played in such deals. "
    "Numbers: <code>deal_kinds.csv</code>"
)
MADE = (
    "Contracts that the strategy declared, by level. Tricks over: mean tricks above the contract, below 0 "
    "when down. Numbers: <code>levels.csv</code>"
)
ROUNDS = (
    "By the number of players in the round. Blocked and capped rounds ended without a winner: nobody could "
    "draw or play any more, or the most turns allowed were over. Losers are those of a round that somebody "
    "won. Numbers: <code>rounds.csv</code>"
)
# The browser itself is told to load nothing: a label that slipped through could still not call out.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def page(
    results: Sequence["Results"],
    names: Sequence[str] | None = None,
    pictures: Sequence[Mapping[str, bytes]] | None = None,
    link_files: bool = False,
) -> str:
    """The whole page as one HTML document.

    `names` tell several runs apart (default 1, 2, 3 …). `pictures` are the PNG bytes of each run by chart
    name, as `reports.figures.draw` returns them; without them they are drawn here. With `link_files` the
    names of the CSV files are links to files beside the page. All text from the runs is escaped. The same
    arguments give the same text. Raises ValueError without a run or with a
    wrong number of names or pictures.
    """
    from reports.figures import charts_of, draw

    if not results:
        raise ValueError("a page needs at least one run")
    runs = run_names(results, names)
    drawn = [draw(one) for one in results] if pictures is None else list(pictures)
    if len(drawn) != len(results):
        raise ValueError(f"{len(results)} runs need as many sets of pictures, not {len(drawn)}")
    title = _title(results)
    sections = [*_verdicts(results, runs), _played(results, runs), _standings(results, runs)]
    for number, (run, one, images) in enumerate(zip(runs, results, drawn, strict=True), start=1):
        charts = {name: chart for name, chart in charts_of(one).items() if name in images}
        sections += _run(one, f"run-{number}", f"Run {run}: " if len(results) > 1 else "", images, charts)
    sections.append(_files(results, link_files))
    body = "\n".join(sections)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n<style>{STYLE}</style>\n</head>\n'
        f"<body>\n<main>\n<h1>{escape(title)}</h1>\n{_contents(runs)}{body}\n</main>\n</body>\n</html>\n"
    )


def _title(results: Sequence["Results"]) -> str:
    first = results[0]
    if len(results) > 1:
        games = list(dict.fromkeys(played_at(one) for one in results))
        return f"{', '.join(games)}: {len(results)} runs side by side"
    return f"{played_at(first)}: {', '.join(first.labels)}"


def _contents(runs: Sequence[str]) -> str:
    if len(runs) < 2:
        return ""
    links = [f'<a href="#run-{number}">Run {escape(run)}</a>' for number, run in enumerate(runs, start=1)]
    return f'<nav aria-label="Runs">{" ".join(links)}</nav>\n'


def _facts(results: "Results") -> dict[str, str]:
    """What was played, by name; what `about` repeats is told once."""
    facts = {
        "game": results.title,
        "players": str(results.experiment.at_table),
        "seats": ", ".join(results.seats),
        "games": f"{results.games:,}",
        "units": f"{results.units:,}",
        "seed": str(results.seed),
    }
    return facts | {name: text for name, text in results.about.items() if name.lower() not in facts}


def _verdicts(results: Sequence["Results"], runs: Sequence[str]) -> list[str]:
    """What comparisons found, in a sentence each."""
    found = [(run, one.verdict) for run, one in zip(runs, results, strict=True) if one.verdict]
    lines = [
        f"<p><strong>{escape(f'Run {run}: ' * (len(runs) > 1) + text)}</strong></p>" for run, text in found
    ]
    return ["<section>\n<h2>Verdict</h2>\n" + "\n".join(lines) + "\n</section>"] if lines else []


def _played(results: Sequence["Results"], runs: Sequence[str]) -> str:
    facts = [_facts(one) for one in results]
    names = list(dict.fromkeys(name for fact in facts for name in fact))
    rows = [[name, *(fact.get(name, "–") for fact in facts)] for name in names]
    headings = ["", *(f"run {run}" for run in runs)] if len(results) > 1 else []
    text = _table(Readable(headings, rows, [False] * (len(results) + 1)), "What was played", "facts")
    return f"<section>\n<h2>What was played</h2>\n{text}\n</section>"


def _standings(results: Sequence["Results"], runs: Sequence[str]) -> str:
    frame = compare_runs(results, runs)
    if len(results) == 1:
        frame = standings_frame(results[0])
    alone = len(results) == 1
    named = [(one.title, _standings_note(one, frame if alone else one.summary)) for one in results]
    notes = list(dict.fromkeys(named))
    note = " ".join(f"{escape(game)}: {text}" if len(notes) > 1 else text for game, text in notes)
    if any(one_seat(one) for one in results):
        seats = "the one seat" if len(results) == 1 else "all seats that it filled"
        note += f" Where each strategy sat in one seat, these are its results in {seats}."
    return f"<section>\n<h2>Standings</h2>\n{_table(readable(frame), 'Standings')}\n<p>{note}</p>\n</section>"


def _standings_note(results: "Results", frame: "pd.DataFrame") -> str:
    """What the columns of a game's standings are."""
    measure = results.measure
    if measure.net:
        more = {"imps": STANDINGS_OF_IMPS, "below": STANDINGS_OF_RUBBERS, "par": STANDINGS_OF_PAR}
        net = STANDINGS_OF_NET.format(measure=capital(measure.name))
        return " ".join([net, *(text for name, text in more.items() if name in frame)])
    own = f" {STANDINGS_OF_ROUNDS}" if "rounds_won" in frame else ""
    return STANDINGS_OF_SHARES + own if measure.share else STANDINGS


def _run(
    results: "Results", anchor: str, prefix: str, images: Mapping[str, bytes], charts: Mapping[str, "Chart"]
) -> list[str]:
    """The pictures of a run, and the tables of its pairs, rounds, exact bids and kinds of deals."""
    parts = [
        f'<section id="{anchor}">\n<h2>{escape(prefix)}pictures</h2>'
        if prefix
        else f'<section id="{anchor}">'
    ]
    for name, chart in charts.items():
        parts.append(_picture(results, name, chart, images[name], prefix))
    parts.append("</section>")
    if len(results.crosstable):
        alone, measure = one_seat(results), results.measure
        table = ladder_table(results) if alone else pairs_table(results)
        of_one = f"{capital(told(results))} {'by' if measure.share else 'of'}"
        points = " Differences are percentage points." if measure.share else ""
        lead = "what the strategy has more" if measure.net else "the strategy minus its opponent"
        note = PAIRS.format(lead=lead, measure=measure.difference)
        note = LADDER.format(measure=of_one, points=points) if alone else note
        parts.append(_table_section(f"{prefix}cross-table", table, note))
    if "levels" in charts:
        parts.append(_table_section(f"{prefix}contracts by level", readable(results.levels), MADE))
    if "turns" in charts:
        rounds = readable(results.rounds)
        parts.append(_table_section(f"{prefix}rounds by the number of players", rounds, ROUNDS))
    if "deal_kinds" in charts:
        kinds = readable(results.deal_kinds)
        parts.append(_table_section(f"{prefix}points and exact bids by kind of deal", kinds, KINDS))
    if "accuracy" in charts:
        caption = f"{prefix}exact bids by hand size and place in the bidding"
        note = "Shares of exact bids, in brackets the 95 % intervals."
        parts.append(_table_section(caption, accuracy_table(results), note))
    return parts


def _table_section(caption: str, table: Readable, note: str) -> str:
    """A section of one table under its caption; `note` is HTML."""
    name = escape(caption[:1].upper() + caption[1:])
    return f"<section>\n<h2>{name}</h2>\n{_table(table, caption)}\n<p>{note}</p>\n</section>"


def _picture(results: "Results", name: str, chart: "Chart", image: bytes, prefix: str) -> str:
    width, height = (int.from_bytes(image[start : start + 4], "big") for start in (16, 20))
    data = base64.b64encode(image).decode("ascii")
    who, caption = ", ".join(results.labels), chart.caption_for(results)
    text = f"{prefix}{chart.title} of {who} at {played_at(results)}, {results.games:,} games. {caption}"
    level = "h3" if prefix else "h2"
    return (
        f'<figure class="{name}">\n<{level}>{escape(chart.title)}</{level}>\n<div class="wide" tabindex="0">'
        f'<img src="data:image/png;base64,{data}" width="{width}" height="{height}" '
        f'style="--wide: {width}px" alt="{escape(text)}"></div>\n'
        f"<figcaption>{escape(caption)} Numbers: <code>{escape(chart.csv)}</code></figcaption>\n"
        "</figure>"
    )


def _table(table: Readable, caption: str, kind: str = "numbers") -> str:
    """A table in a container of its own, which scrolls when the page is too narrow."""
    rows = []
    if table.headings:
        cells = "".join(
            f'<th scope="col"{_class(numeric)}>{escape(name)}</th>'
            for name, numeric in zip(table.headings, table.numeric, strict=True)
        )
        rows.append(f"<thead><tr>{cells}</tr></thead>")
    rows.append("<tbody>")
    for row in table.rows:
        first = f'<th scope="row">{escape(row[0])}</th>'
        others = zip(row[1:], table.numeric[1:], strict=True)
        rest = "".join(f"<td{_class(numeric)}>{escape(cell)}</td>" for cell, numeric in others)
        rows.append(f"<tr>{first}{rest}</tr>")
    rows.append("</tbody>")
    label = escape(caption)
    inside = "\n".join(rows)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{label}">'
        f'<table class="{kind}">\n{inside}\n</table></div>'
    )


def _class(numeric: bool) -> str:
    return ' class="n"' if numeric else ""


def _files(results: Sequence["Results"], link: bool) -> str:
    from reports.figures import charts_of

    files = {"summary.csv": "the standings"}
    for one in results:
        charts = charts_of(one)
        files |= {chart.csv: f"the numbers of the picture “{chart.title}”" for chart in charts.values()}
        if "turns" in charts:
            files["rounds.csv"] = "the rounds by the number of players"
        if "rubbers" in charts:
            files["endings.csv"] = "how rubbers ended"
    items = []
    for name, what in files.items():
        code = f"<code>{escape(name)}</code>"
        shown = f'<a href="{quote(name)}" download>{code}</a>' if link else code
        items.append(f"<li>{shown}: {escape(what)}</li>")
    where = "the folder of the run" if len(results) == 1 else "the folder of each run"
    listed = "\n".join(items)
    return (
        f"<section>\n<h2>Files</h2>\n<p>These tables lie in {where}:</p>\n<ul>\n{listed}\n</ul>\n</section>"
    )
