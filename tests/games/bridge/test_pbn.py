"""PBN: what is written reads back the same; what is damaged is refused with its line."""

import pytest
from bridge_records import records
from hypothesis import given, settings
from hypothesis import strategies as st

from bridzik_sim.errors import UsageError
from bridzik_sim.games.bridge import pbn
from bridzik_sim.games.french_cards import DECK

SEATS = "NESW"
VULNERABLE = ("none", "NS", "EW", "both")

BOARDS = """\
% PBN 2.1
; hands by hand
[Event "Club \\"evening\\""]
[Board "7"]
[Dealer "S"]
[Vulnerable "All"]
[Deal "E:AKQ.JT9.876.5432 JT9.876.5432.AKQ 876.5432.AKQ.JT9 5432.AKQ.JT9.876"]
[Auction "S"]
1S =1= Pass 2S X
{a word; on
that "double" [
}
AP
[Note "1:five [or more]"]
[Play "W"]
CA C2 =2= C9 $3 C6
*

[Board "8"]
[Dealer "w"]
[Vulnerable "-"]
[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]
"""
SEVEN = "7 S both 5432.AKQ.JT9.876 AKQ.JT9.876.5432 JT9.876.5432.AKQ 876.5432.AKQ.JT9"
EIGHT = "8 W none AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


def read(text):
    return list(map(str, pbn.read(text, "evening.pbn")))


def read_or_refused(text):
    """The boards of a text, and why there are none."""
    try:
        return read(text), ""
    except UsageError as error:
        return [], str(error)


def test_a_file_is_read():
    assert read(BOARDS) == [SEVEN, EIGHT]
    seven = pbn.read(BOARDS)[0]
    assert (seven.number, seven.dealer, seven.vulnerable) == (7, 2, 3)
    assert " ".join(DECK.names(seven.hands[3])) == "C9 CT CJ DQ DK DA H2 H3 H4 H5 S6 S7 S8"


@pytest.mark.parametrize(
    "text",
    [
        BOARDS.replace("\n", "\r\n"),
        BOARDS.replace("\n", "\r"),
        "\ufeff" + BOARDS,
        "\n\n" + BOARDS + "\n \t\n",
        BOARDS.replace("[Board", "[ board\t").replace('"]', '" ]'),
        BOARDS.replace("\n\n", "\n  \n"),
        BOARDS.replace("AKQJT", "AKQJ10").replace('"All"', '"both"').replace('"-"', '"Love"'),
        BOARDS.replace("AKQJT98765432", "23456789tjqka"),
        BOARDS.replace('[Dealer "S"]', '[Dealer "S"] [Dealer "S"] ; twice'),
        "[Site \"##here\"]\n[Event \"##none\"]\n\n" + BOARDS,
    ],
)  # fmt: skip
def test_what_makes_no_difference(text):
    assert read(text) == [SEVEN, EIGHT]


def test_files_may_be_latin_1(tmp_path):
    for encoding in ("latin-1", "utf-8", "utf-8-sig"):
        path = tmp_path / encoding
        path.write_bytes(BOARDS.replace("Club", "Spolužiacke".replace("ž", "é")).encode(encoding))
        assert list(map(str, pbn.load(path))) == [SEVEN, EIGHT]


def test_boards_without_a_number_are_numbered_by_their_place():
    assert read(BOARDS.replace('"7"', '""').replace('[Board "8"]\n', "")) == [
        "1" + SEVEN[1:],
        "2" + EIGHT[1:],
    ]


def test_tags_are_inherited():
    text = BOARDS.replace('"8"', '"#"').replace('"w"', '"#"')
    assert read(text) == [SEVEN, EIGHT.replace("8 W", "7 S")]
    header = '[Dealer "##S"]\n[Vulnerable "##All"]\n\n'
    bare = BOARDS.replace('[Dealer "S"]\n[Vulnerable "All"]\n', "").replace(
        '[Dealer "w"]\n[Vulnerable "-"]\n', ""
    )
    # The header holds tags of a board, but it has no deal.
    with pytest.raises(UsageError, match="line 1: this board has no Deal"):
        read(header + bare)
    first = BOARDS.replace('"S"]\n[Vul', '"##S"]\n[Vul').replace('"All"', '"##All"')
    last = '[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]\n'
    assert read(first.replace('[Dealer "w"]\n[Vulnerable "-"]\n', "") + "\n" + last) == [
        SEVEN, EIGHT.replace("W none", "S both"), EIGHT.replace("8 W none", "3 S both"),
    ]  # fmt: skip


DAMAGE = [
    (BOARDS, "", 1, "the file is empty"),
    (BOARDS, " \n\n", 1, "the file is empty"),
    (BOARDS, "% only\n{a comment}\n[Event \"x\"]\n", 1, "there is no board"),
    ("JT9.876.5432.AKQ 876", "JT9.876.5432.AK1 876", 7, "'1' in the hand of S is no rank"),
    ("E:AKQ", "E:AKQ2", 7, "the hand of E has 14 cards; give 13"),
    ("E:AKQ", "E:AK", 7, "the hand of E has 12 cards; give 13"),
    ("E:AKQ", "E:AAQ", 7, "SA is twice in the hand of E"),
    ("E:AKQ", "E:AKJ", 7, "SJ is held twice, by E and by S"),
    ("E:AKQ.JT9", "E:AKQJT9", 7, "the hand of E has 3 suits"),
    ("E:AKQ", "AKQ", 7, "begins with the seat of its first hand"),
    ("E:AKQ", "Q:AKQ", 7, "'Q' is no seat"),
    (" 5432.AKQ.JT9.876", "", 7, "four hands, not 3"),
    ("5432.AKQ.JT9.876\"", "-\"", 7, "the hand of N is not told"),
    ('[Dealer "S"]\n', "", 3, 'no Dealer; add [Dealer "N"]'),
    ('[Vulnerable "All"]\n', "", 3, "no Vulnerable"),
    ('[Vulnerable "-"]\n', "", 19, "no Vulnerable"),
    ('[Dealer "S"]', '[Dealer "?"]', 5, "no Dealer"),
    ('[Dealer "S"]', '[Dealer "North"]', 5, "'North' is no seat; give N, E, S or W"),
    ('[Vulnerable "All"]', '[Vulnerable "Some"]', 6, "'Some' does not tell who is vulnerable"),
    ('[Board "7"]', '[Board "seven"]', 4, "'seven' is no board number"),
    ('[Board "7"]', '[Board "0"]', 4, "'0' is no board number"),
    ('[Board "7"]', '[Board "²"]', 4, "'²' is no board number"),
    ('[Board "7"]', f'[Board "{"9" * 5000}"]', 4, "is no board number"),
    ('[Board "7"]', '[Board "7]', 4, "this tag is damaged"),
    ('[Board "7"]', '[Board 7]', 4, "this tag is damaged"),
    ('[Board "7"]', 'Board "7"]', 4, "'Board' is out of place"),
    ("}\nAP", "AP", 10, "the comment that begins here is never closed"),
    ('1S =1=', '1S "', 9, "the quote that begins here is not closed"),
    ("\n\n", "\n", 18, "a second Board in one board; put an empty line between boards"),
    ("1S =1=", "1S \0", 9, "this is no plain text"),
]  # fmt: skip


@pytest.mark.parametrize(("good", "bad", "line", "reason"), DAMAGE)
def test_damage_is_refused_with_its_line(good, bad, line, reason):
    text = BOARDS.replace(good, bad, 1)
    with pytest.raises(UsageError) as refused:
        read(text)
    message = str(refused.value)
    assert message.startswith(f"evening.pbn line {line}: ")
    assert reason in message
    assert len(message.splitlines()) == 1
    assert len(message) < 160


def test_files_that_are_no_text_or_not_there(tmp_path):
    path = tmp_path / "a.pbn"
    path.write_bytes(BOARDS.encode("utf-16"))
    with pytest.raises(UsageError, match=r"a\.pbn line 1: this is no plain text; save the file as UTF-8"):
        pbn.load(path)
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        pbn.load(tmp_path / "b.pbn")
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        pbn.load(tmp_path)


PIECES = [
    "[",
    "]",
    '"',
    "{",
    "}",
    ";",
    "%",
    "\n",
    "\n\n",
    "\\",
    "#",
    "##",
    "N:",
    " ",
    ".",
    "-",
    "AKQ",
    "\0",
    '[Deal "',
    '[Board "7"]',
]


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES) | st.text(max_size=3)).map("".join)))
def test_no_text_gives_anything_but_boards_or_one_line(text):
    boards, reason = read_or_refused(text)
    assert boards or reason.startswith("evening.pbn line ")


@settings(max_examples=200)
@given(st.data())
def test_no_damaged_file_gives_anything_but_boards_or_one_line(data):
    text = BOARDS
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        stop = min(len(text), start + data.draw(st.integers(0, 3)))
        text = text[:start] + data.draw(st.sampled_from(PIECES) | st.characters()) + text[stop:]
    boards, reason = read_or_refused(text)
    assert boards or reason.startswith("evening.pbn line ")
    assert "\n" not in reason
    assert pbn.parse_boards(boards) == boards


@given(
    st.one_of(
        st.text(),
        st.none(),
        st.booleans(),
        st.integers(),
        st.lists(st.text() | st.integers()),
        st.just([SEVEN, SEVEN[:-1]]),
    )
)
def test_the_option_takes_boards_and_nothing_else(value):
    try:
        boards = pbn.parse_boards(value)
    except ValueError:
        return
    assert boards == [] or isinstance(value, (str, list))


def test_a_wrong_board_of_the_option_is_named():
    with pytest.raises(ValueError, match=r"board 2 of the list: 'Q' is no seat; give N, E, S or W"):
        pbn.parse_boards([SEVEN, EIGHT.replace("W", "Q")])
    with pytest.raises(ValueError, match="board 1 of the list: seven words are a board"):
        pbn.parse_boards("AKQ")


def test_the_option_is_brought_to_one_form():
    loose = SEVEN.replace(" S both ", "  s ALL ").replace("AKQ", "qak").replace("JT9", "10j9")
    assert pbn.parse_boards([loose, EIGHT]) == [SEVEN, EIGHT]
    assert pbn.parse_boards(f"{loose},{EIGHT}") == [SEVEN, EIGHT]
    assert pbn.parse_boards([]) == pbn.parse_boards("") == []


@pytest.fixture(scope="module")
def games():
    return records()


def test_we_read_what_we_write(games):
    text = pbn.HEADER + "".join(map(pbn.write, games))
    boards = pbn.read(text)
    deals = [(number, deal) for game in games for number, deal in enumerate(game["deals"], 1)]
    for board, (number, deal) in zip(boards, deals, strict=True):
        assert board.number == deal.get("board", number)
        assert board.dealer == deal["dealer"]
        assert VULNERABLE[board.vulnerable] == deal["vulnerable"]
        assert str(pbn.board_of(str(board))) == str(board)


def test_names_are_written_as_they_are(games):
    names = '[West "x=[1]"]\n[North "random"]\n[East "a \\"b\\" \\\\"]\n[South "ž"]\n'
    assert names in pbn.write(games[0])
