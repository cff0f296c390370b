"""Games of exact bids told as text, in English or Slovak: pure functions of a record, or of what a seat saw.

Wording follows the rules of the game. Seats are numbered from 0, as everywhere. What a game says of its deals
stands in its module ``telling``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bridzik_sim import games
from bridzik_sim.cards import CardWords, Deck
from bridzik_sim.errors import UsageError, unknown_name
from bridzik_sim.games.game import Game
from bridzik_sim.replay import Moment

INDENT = "  "
MARGIN = 9
"""Width of the words that begin a line."""


@dataclass(frozen=True)
class Language:
    """The phrases of a language; what stands in braces is filled in."""

    head: str
    mark: str
    seat: str
    starter: str
    card_forms: tuple[str, str, str]
    """After 1, after 2 to 4, after other numbers."""
    bids: str
    not_allowed: str
    sum: str
    trick: str
    leads: str
    taken: str
    taken_of: str
    points: str
    total: str
    final: str
    winner: str
    winners: str
    fault: str
    decisions: dict[str, str]
    """What a seat does, by decision."""
    hand: str
    scores: str
    gone: str
    on_table: str
    nothing: str
    lacks: str
    legal: str
    answer: str

    def cards(self, number: int) -> str:
        """A number of cards in words."""
        few, many = 2 <= number <= 4, self.card_forms[2]
        return f"{number} {self.card_forms[0] if number == 1 else self.card_forms[1] if few else many}"


LANGUAGES = {
    "en": Language(
        head="{title}: seed {seed}, unit {unit}, seating {seating}",
        mark="* takes the trick",
        seat="seat",
        starter="seat {starter} bids first",
        card_forms=("card", "cards", "cards"),
        bids="bids",
        not_allowed="not {bid}",
        sum="sum {sum}",
        trick="trick",
        leads="leads",
        taken="taken",
        taken_of="{taken} (bid {bid})",
        points="points",
        total="total",
        final="end",
        winner="winner",
        winners="winners",
        fault="seat {seat} {what} in its decision {decision}; the lowest legal answer was taken instead",
        decisions={
            "trump": "seat {seat} chooses the trump",
            "bid": "seat {seat} bids",
            "play": "seat {seat} plays to trick {trick}",
        },
        hand="hand",
        scores="scores",
        gone="gone",
        on_table="table",
        nothing="nothing",
        lacks="lacks",
        legal="legal",
        answer="answer",
    ),
    "sk": Language(
        head="{title}: seed {seed}, jednotka {unit}, rozsadenie {seating}",
        mark="* berie kopku",
        seat="hráč",
        starter="tipovanie začína hráč {starter}",
        card_forms=("karta", "karty", "kariet"),
        bids="tipy",
        not_allowed="nesmie {bid}",
        sum="súčet {sum}",
        trick="kopka",
        leads="vynáša",
        taken="kopky",
        taken_of="{taken} (tip {bid})",
        points="body",
        total="spolu",
        final="koniec",
        winner="víťaz",
        winners="víťazi",
        fault="hráč {seat}: chybné rozhodnutie {decision} ({what}); platí najnižšia povolená odpoveď",
        decisions={
            "trump": "hráč {seat} volí tromf",
            "bid": "hráč {seat} tipuje",
            "play": "hráč {seat} hrá do kopky {trick}",
        },
        hand="ruka",
        scores="skóre",
        gone="zahrané",
        on_table="stôl",
        nothing="nič",
        lacks="nemá",
        legal="smie",
        answer="odpoveď",
    ),
}


@dataclass(frozen=True)
class Teller:
    """Everything needed to tell a game in a language."""

    game: Game
    words: CardWords
    lang: str
    bound: bool
    """Whether the last bidder may not make the bids add up to the tricks."""

    @property
    def deck(self) -> Deck:
        """The deck of the game."""
        return self.game.deck

    @property
    def say(self) -> Language:
        """The phrases of the language."""
        return LANGUAGES[self.lang]


def teller(record: Mapping[str, Any], lang: str) -> Teller:
    """A teller of a record's game in a language; ``UsageError`` when the game is not told in it."""
    game = games.get(record["game"])
    if lang not in game.words or lang not in LANGUAGES:
        raise UsageError(unknown_name(f"telling of {game.name} in the language", lang, game.words))
    return Teller(game, game.words[lang], lang, record["options"].get("sum_rule", "on") == "on")


def record_text(record: Mapping[str, Any], lang: str = "en") -> str:
    """A whole record, or one that ends at a failure, as lines of text without a final line break."""
    tell = teller(record, lang)
    lines, totals, number = _head(tell, record), [0] * len(record["seats"]), tell.game.telling.number
    for deal in record["deals"]:
        lines += ["", *_deal(tell, deal, totals)]
        faults = [fault for fault in record.get("faults", []) if fault["deal"] == number(deal)]
        lines += [INDENT + _fault(tell, fault) for fault in faults]
    if record["winners"]:
        winners = record["winners"]
        word = tell.say.winner if len(winners) == 1 else tell.say.winners
        named = ", ".join(f"{seat} {record['seats'][seat]}" for seat in winners)
        lines += ["", _row(tell.say.final, _cells(record["totals"])), _row(word, [named])]
    return "\n".join(lines)


def _head(tell: Teller, record: Mapping[str, Any], mark: bool = True) -> list[str]:
    title = tell.say.head.format(title=tell.game.title, **record)
    default = {option.name: option.default for option in tell.game.options}
    changed = {name: value for name, value in record["options"].items() if value != default.get(name)}
    given = "".join(f", {name}={_plain(value)}" for name, value in changed.items())
    seats = [f"{INDENT}{tell.say.seat} {seat}  {label}" for seat, label in enumerate(record["seats"])]
    return [title + given + (f"   ({tell.say.mark})" if mark else ""), *seats]


def _plain(value: Any) -> str:
    return ",".join(str(part) for part in value) if isinstance(value, list) else str(value)


def _heading(tell: Teller, deal: Mapping[str, Any], size: int, starter: int) -> str:
    """What a deal is called, its number of cards, what the game tells of it and who bids first."""
    place, *more = tell.game.telling.heading(deal, tell.lang)
    return f"{place}: {', '.join([tell.say.cards(size), *more, tell.say.starter.format(starter=starter)])}"


def _deal(tell: Teller, deal: Mapping[str, Any], totals: list[int]) -> list[str]:
    """One deal; adds its points to ``totals``."""
    say, size = tell.say, len(deal["hands"][0])
    lines = [_heading(tell, deal, size, deal["starter"])]
    hands = [_by_suit(tell, [tell.deck.id(name) for name in hand]) for hand in deal["hands"]]
    firsts = [f"{say.seat} {seat}" for seat in range(len(hands))]
    lines += [_row(first, cells) for first, cells in zip(firsts, _aligned(hands), strict=True)]
    lines.append(_bids(tell, deal, size))
    tricks = [_trick(tell, trick, len(hands)) for trick in deal["tricks"]]
    for number, cells in enumerate(_aligned(tricks), 1):
        lines.append(_row(f"{say.trick} {number}", cells))
    if deal["points"] is not None:
        totals[:] = [total + points for total, points in zip(totals, deal["points"], strict=True)]
        taken = [
            say.taken_of.format(taken=taken, bid=bid)
            for taken, bid in zip(deal["taken"], deal["bids"], strict=True)
        ]
        table = _aligned([_cells(taken), _cells(deal["points"]), _cells(totals)])
        lines += [
            _row(first, cells) for first, cells in zip((say.taken, say.points, say.total), table, strict=True)
        ]
    return lines


def _row(first: str, cells: Sequence[str]) -> str:
    return f"{INDENT}{first:<{MARGIN}}{'   '.join(cells)}".rstrip()


def _cells(values: Sequence[Any]) -> list[str]:
    return [f"{seat}: {value}" for seat, value in enumerate(values)]


def _aligned(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The same cells, each as wide as the widest of its column."""
    columns = max((len(row) for row in rows), default=0)
    widths = [max(len(row[column]) for row in rows if column < len(row)) for column in range(columns)]
    return [[cell.ljust(width) for cell, width in zip(row, widths, strict=False)] for row in rows]


def _by_suit(tell: Teller, cards: Sequence[int]) -> list[str]:
    """A hand: one cell a suit, and one for the cards without a suit, if the game has such."""
    suits, ranks = len(tell.words.suits), len(tell.deck.ranks)
    held: list[list[str]] = [[] for _ in tell.words.suits]
    specials = []
    for card in sorted(cards):
        if card < suits * ranks:
            held[card // ranks].append(tell.words.ranks[card % ranks])
        else:
            specials.append(tell.words.cards[card])
    cells = [f"{suit} {' '.join(names) or '-'}" for suit, names in zip(tell.words.suits, held, strict=True)]
    return [*cells, " ".join(specials) or "-"] if tell.deck.specials else cells


def _bids(tell: Teller, deal: Mapping[str, Any], size: int) -> str:
    """The bids in their order, with what the last bidder might not bid; those made before a failure only."""
    bids, seats = deal["bids"], len(deal["bids"])
    order = [(deal["starter"] + place) % seats for place in range(seats)]
    made = [f"{seat}: {bids[seat]}" for seat in order if bids[seat] is not None]
    if len(made) == seats:
        forbidden = size - sum(bids[seat] for seat in order[:-1])
        if tell.bound and forbidden >= 0:
            made[-1] += f" ({tell.say.not_allowed.format(bid=forbidden)})"
        made.append(tell.say.sum.format(sum=sum(bids)))
    return _row(tell.say.bids, made)


def _trick(tell: Teller, trick: Mapping[str, Any], seats: int) -> list[str]:
    """The cards in the order of play, the winner's marked."""
    cells = []
    for place, name in enumerate(trick["cards"]):
        seat = (trick["leader"] + place) % seats
        leads = f" {tell.say.leads}" if place == 0 else ""
        mark = "*" if seat == trick["winner"] else ""
        cells.append(f"{seat}{leads} {tell.words.cards[tell.deck.id(name)]}{mark}")
    return cells


def _fault(tell: Teller, fault: Mapping[str, Any]) -> str:
    what = f"raised {fault['answer']}" if fault["kind"] == "raised" else f"answered {fault['answer']}"
    return "! " + tell.say.fault.format(what=what, **{k: fault[k] for k in ("seat", "decision")})


def view_text(record: Mapping[str, Any], moments: Sequence[Moment], seat: int, lang: str = "en") -> str:
    """A game as ``seat`` saw it: at each of its decisions what it knew and might answer, then its answer."""
    tell = teller(record, lang)
    lines, deal, seats = _head(tell, record, mark=False), -1, len(record["seats"])
    for moment in moments:
        if moment.seat != seat or moment.view is None:
            continue
        view = moment.view
        if moment.deal != deal:
            deal = moment.deal
            seen = tell.game.telling.seen(view, moment.decision)
            lines += ["", _heading(tell, seen, int(view.size), int(view.starter))]
            lines.append(_row(tell.say.scores, _cells(view.scores[:seats])))
        lines += _moment(tell, moment, seats)
    return "\n".join(lines)


def _moment(tell: Teller, moment: Moment, seats: int) -> list[str]:
    say, view = tell.say, moment.view
    words: Mapping[str, Sequence[str]] = {"play": tell.words.cards, "trump": tell.words.suits}
    name: Callable[[int], str] = words[moment.decision].__getitem__ if moment.decision in words else str
    head = say.decisions[moment.decision].format(seat=moment.seat, trick=int(sum(view.taken)) + 1)
    known: list[str] = []
    if moment.decision == "bid":
        known = [_row(say.bids, _known_bids(tell, view, seats))]
    elif moment.decision == "play":
        known = _known_play(tell, view, seats)
    legal = ", ".join(name(code) for code in moment.legal)
    lines = [_row(say.hand, _by_suit(tell, _ids(view.hand))), *known, _row(say.legal, [legal])]
    if moment.answer >= 0:
        lines.append(_row(say.answer, [name(moment.answer)]))
    if moment.fault:
        lines.append(INDENT + _fault(tell, moment.fault.as_dict()))
    return [INDENT + head, *(INDENT + line for line in lines)]


def _known_bids(tell: Teller, view: Any, seats: int) -> list[str]:
    """The bids made so far, a hidden one as a question mark, and what may not be bid."""
    order = [(int(view.starter) + place) % seats for place in range(seats)]
    made = [
        f"{seat}: {view.bids[seat] if view.bids[seat] >= 0 else '?'}" for seat in order if view.has_bid[seat]
    ]
    forbidden = [f"({tell.say.not_allowed.format(bid=view.forbidden)})"] if view.forbidden >= 0 else []
    return [*(made or [tell.say.nothing]), *forbidden]


def _known_play(tell: Teller, view: Any, seats: int) -> list[str]:
    say = tell.say
    cards = [int(card) for card in view.trick if card >= 0]
    laid = [f"{(view.leader + place) % seats} {tell.words.cards[card]}" for place, card in enumerate(cards)]
    taken = [say.taken_of.format(taken=view.taken[seat], bid=view.bids[seat]) for seat in range(seats)]
    voids = [
        f"{seat}: {', '.join(tell.words.suits[suit] for suit in _ids(mask))}"
        for seat, mask in enumerate(view.seen_void)
        if mask
    ]
    gone = _ids(view.played & ~sum(1 << card for card in cards))
    lines = [_row(say.taken, _cells(taken)), _row(say.on_table, laid or [say.nothing])]
    lines += [_row(say.lacks, voids)] if voids else []
    return [*lines, _row(say.gone, _by_suit(tell, gone))] if gone else lines


def _ids(mask: Any) -> list[int]:
    return [card for card in range(63) if int(mask) >> card & 1]
