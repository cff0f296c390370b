"""The page: whole, closed to the outside, and within its width."""

import base64
import html
import io
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest
from fake_cases import CASES, LONG, MATCHES, OF_OTHERS, TWELVE
from fake_results import make_results
from PIL import Image

from reports import figures
from reports.html import page

VOID = {"meta", "img", "br", "hr", "link", "input"}
CHROMIUM = shutil.which("chromium")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--enable-logging=stderr",  # the console's messages among it
)


class Reader(HTMLParser):
    """Collects tags and text, and sees that every element is closed in its turn."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.words, self.style = [], [], [], ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            self.style += data
        elif data.strip():
            self.words.append(data)

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def long_run():
    labels = [*LONG[:3], '<script>alert("x")</script>\'&amp;']
    about = {"options": '<img src="https://example.org/x.png">', "Seed": "twice", "bridzik": "0.1.0"}
    return make_results(labels=labels, games=5, about=about, verdict="<i>first</i> is better by 3.1")


@pytest.fixture(scope="module")
def pictures(long_run):
    return figures.draw(long_run)


@pytest.fixture(scope="module")
def pages(long_run, pictures):
    both = [long_run, make_results(games=5)]
    return {
        "one": page([long_run], pictures=[pictures], link_files=True),
        "two": page(both, ["<b>first</b>", "other"], pictures=[pictures, pictures]),
    }


@pytest.mark.parametrize("kind", ["one", "two"])
def test_nothing_comes_from_elsewhere(pages, kind):
    reader = Reader(pages[kind])
    names = {tag for tag, _ in reader.tags}
    assert not names & {"script", "link", "iframe", "object", "embed", "base", "form", "video", "audio"}
    for _, attributes in reader.tags:
        assert not [name for name in attributes if name.startswith("on") or name in ("srcset", "background")]
        for name in ("src", "href"):
            target = attributes.get(name) or ""
            assert not re.match(r"\s*(https?:|//|javascript:|file:)", target)
    assert not re.search(r"url\(|@import", reader.style)
    assert len(reader.all("style")) == 1
    assert "http://" not in pages[kind].replace("https://example.org", "")


@pytest.mark.parametrize(("kind", "runs"), [("one", 1), ("two", 2)])
def test_pictures_are_inside_and_described(pages, kind, runs):
    images = Reader(pages[kind]).all("img")
    assert len(images) == runs * (len(set(figures.CHARTS) - OF_OTHERS) - 5)
    for image in images:
        start, data = image["src"].split(",", 1)
        assert start == "data:image/png;base64"
        with Image.open(io.BytesIO(base64.b64decode(data, validate=True))) as picture:
            picture.load()
            assert picture.format == "PNG"
            assert picture.size == (int(image["width"]), int(image["height"]))
        assert len(image["alt"]) > 30
    assert len({image["alt"] for image in images}) == len(images)


def test_page_is_named_and_in_english(pages):
    reader = Reader(pages["one"])
    assert reader.all("html") == [{"lang": "en"}]
    assert len(reader.all("h1")) == len(reader.all("title")) == 1
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in reader.all("meta")
    assert pages["one"].startswith("<!DOCTYPE html>")


def test_labels_are_text(pages, long_run):
    reader = Reader(pages["one"])
    for label in long_run.labels:
        assert label in reader.words
        assert html.escape(label) in pages["one"]
    assert "<script" not in pages["one"]
    assert long_run.about["options"] in reader.words
    assert "<b>" not in pages["two"]
    assert any("<b>first</b>" in text for text in Reader(pages["two"]).words)
    assert "<i>first</i> is better by 3.1" in reader.words


def test_page_tells_what_was_played(pages, long_run):
    words = Reader(pages["one"]).words
    for text in ("Bridžik", str(long_run.seed), "0.1.0", ", ".join(long_run.seats), "units"):
        assert text in words
    assert "twice" not in words
    for name in ("summary", "accuracy", "bids", "scores", "table", "convergence"):
        assert f"{name}.csv" in words
    points = f"{long_run.summary['points'][0]:,.1f}"
    assert points in words


def test_files_are_links_only_when_asked(pages):
    links = [link["href"] for link in Reader(pages["one"]).all("a")]
    assert "bids.csv" in links
    assert [link["href"] for link in Reader(pages["two"]).all("a")] == ["#run-1", "#run-2"]
    anchors = {attributes.get("id") for _, attributes in Reader(pages["two"]).tags}
    assert {"run-1", "run-2"} <= anchors


def test_several_runs_have_a_common_table(pages):
    words = Reader(pages["two"]).words
    assert "run" in words
    assert words.count("other") >= 3


def test_same_text_and_given_pictures(long_run, pictures, monkeypatch):
    one = page([long_run], pictures=[pictures])
    with monkeypatch.context() as patch:
        patch.setattr("reports.figures.draw", lambda results: pictures if results is long_run else {})
        assert one == page([long_run])
    fewer = {name: pictures[name] for name in ("scores",)}
    assert len(Reader(page([long_run], pictures=[fewer])).all("img")) == 1


def test_wrong_numbers_are_refused(long_run):
    with pytest.raises(ValueError, match="at least one"):
        page([])
    with pytest.raises(ValueError, match="pictures"):
        page([long_run], pictures=[])
    with pytest.raises(ValueError, match="names"):
        page([long_run], names=["a", "b"])


@pytest.fixture(scope="module")
def match_pages(pictures):
    """A tournament of twelve with long labels, and a comparison beside a tournament, with all pictures."""
    twelve, trio, pair = (make_results(**MATCHES[case]) for case in ("twelve", "trio", "long_pair"))
    match = {name: figures.png(figures.CHARTS[name].draw(twelve)) for name in ("leaderboard", "crosstable")}
    drawn = pictures | match
    running = {name: figures.png(figures.CHARTS[name].draw(pair)) for name in ("difference", "evidence")}
    return {
        "tournament": page([twelve], pictures=[drawn], link_files=True),
        "beside": page([pair, trio], ["new", "old"], pictures=[drawn | running, drawn]),
    }


def test_matches_have_a_verdict_a_cross_table_and_all_pictures(match_pages):
    beside, alone = Reader(match_pages["beside"]), Reader(match_pages["tournament"])
    assert any(text.startswith(f"Run new: {LONG[0]} is better") for text in beside.words)
    assert match_pages["beside"].index("is better") < match_pages["beside"].index("What was played")
    assert "Verdict" not in alone.words
    shown = [figure["class"] for figure in beside.all("figure")]
    assert len(shown) == len(set(shown)) + len(
        set(figures.CHARTS) - {"crosstable", "difference", "evidence", "ladder", "deal_kinds"} - OF_OTHERS
    )
    assert set(shown) == set(figures.CHARTS) - {"ladder", "deal_kinds"} - OF_OTHERS
    assert sum(word in TWELVE for word in alone.words) >= 2 * 66
    assert {"p (Holm)", "gain", "rating"} <= set(alone.words)


def test_a_page_of_wizard_tells_players_options_and_kinds_of_deals(pictures):
    about = {"option hand_sizes": "all", "option wizard_trump": "dealer"}
    wizard = make_results(**CASES["wizard_one"], about=about)
    drawn = pictures | {"deal_kinds": figures.png(figures.deal_kinds(wizard))}
    text = page([wizard], pictures=[drawn])
    reader = Reader(text)
    assert reader.words[reader.words.index("players") + 1] == "6"
    assert reader.words[reader.words.index("option wizard_trump") + 1] == "dealer"
    assert "Wizard for 6 players: heuristic" in reader.words
    assert all("Wizard for 6 players, 30 games" in image["alt"] for image in reader.all("img"))
    table = text[text.index("Points and exact bids by kind of deal") :]
    row = wizard.deal_kinds.iloc[1]
    for cell in (row["kind"], f"{row['rounds']:,}", f"{100 * row['exact']:.1f} %"):
        assert f">{cell}</td>" in table
    beside = page([wizard, make_results(games=5)], pictures=[{}, {}])
    assert "Wizard for 6 players, Bridžik: 2 runs side by side" in Reader(beside).words
    assert "kind of deal" not in beside


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")
def test_nothing_is_wider_than_the_page_and_nothing_complains(pages, match_pages, tmp_path):
    shown = [*pages.values(), *match_pages.values()]
    frames = "".join(
        f'<iframe style="border:0;width:{width}px;height:900px" srcdoc="{html.escape(text)}"></iframe>'
        for text in shown
        for width in (1280, 400)
    )
    script = (
        "<script>onload = () => { document.title = [...document.querySelectorAll('iframe')].map(f => {"
        "const e = f.contentDocument.documentElement; return e.clientWidth + ':' + e.scrollWidth + ':' +"
        "[...f.contentDocument.images].filter(i => i.naturalWidth).length}).join(' ') }</script>"
    )
    outer = tmp_path / "outer.html"
    outer.write_text(f"<!DOCTYPE html><meta charset=utf-8><title></title>{script}{frames}", encoding="utf-8")
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", outer.as_uri()]
    done = subprocess.run(command, capture_output=True, timeout=120, check=True)
    assert b"CONSOLE" not in done.stderr, done.stderr
    title = re.search(rb"<title>(.*?)</title>", done.stdout)
    measured = [[int(part) for part in text.split(b":")] for text in title[1].split()]
    assert len(measured) == 2 * len(shown)
    for number, (width, inside, images) in enumerate(measured):
        wanted = (1280, 400)[number % 2]
        assert wanted - 20 <= width <= wanted
        assert inside <= width
        assert images == shown[number // 2].count("<img ")
