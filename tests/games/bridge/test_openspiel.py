"""Auctions of four against OpenSpiel's bridge, call by call."""

import random

import pytest
from bridge_games import opened

from bridzik_sim.games import contract
from bridzik_sim.games.bridge import playout

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no build for this Python")

THEIR_PASS, THEIR_DOUBLE, THEIR_REDOUBLE, THEIR_FIRST_BID = 52, 53, 54, 55
AUCTION_PHASE = 1

# How callers choose: the chance of a pass, that of a double or redouble where one is legal, and of the bids
# only so many of the lowest; and how many auctions.
KINDS = {
    "any call": (0, 0, 35, 2000),
    "mostly passes": (0.7, 0.05, 35, 2500),
    "many doubles": (0.3, 0.6, 35, 2000),
    "step by step": (0.2, 0.5, 2, 500),
    "hardly a bid": (0.9, 0.3, 1, 3000),
}

OURS = {THEIR_PASS: contract.PASS, THEIR_DOUBLE: contract.DOUBLE, THEIR_REDOUBLE: contract.REDOUBLE}
OURS |= {THEIR_FIRST_BID + number: number + 1 for number in range(contract.BIDS)}
"""Our code of a call, by OpenSpiel's."""
BIT = {action: 1 << code for action, code in OURS.items()}


def choose(chance, actions, kind):
    passing, doubling, lowest, _ = KINDS[kind]
    if kind == "any call":
        return chance.choice(actions)
    doubles = [action for action in actions if action in (THEIR_DOUBLE, THEIR_REDOUBLE)]
    bids = [action for action in actions if action >= THEIR_FIRST_BID][:lowest]
    if doubles and chance.random() < doubling:
        return doubles[0]
    return THEIR_PASS if not bids or chance.random() < passing else chance.choice(bids)


def dealt_out(dealer):
    """OpenSpiel's bridge with its cards dealt, at the first call."""
    state = pyspiel.load_game(f"bridge(use_double_dummy_result=false,dealer={dealer})").new_initial_state()
    for card in range(52):
        state.apply_action(card)
    return state


def contract_number(position):
    """OpenSpiel's number of a contract: strain by strain upwards, declarer by declarer, then how it is doubled."""
    if position.contract == 0:
        return 0
    return 12 * (position.contract - 1) + 3 * position.declarer + position.doubled + 1


@pytest.mark.parametrize("kind", KINDS)
def test_auctions_go_as_in_openspiel(kind):
    chance = random.Random(kind)
    starts = [dealt_out(dealer) for dealer in range(4)]
    for number in range(KINDS[kind][-1]):
        theirs, position = starts[number % 4].clone(), opened(number % 4)
        while not theirs.is_terminal() and theirs.current_phase() == AUCTION_PHASE:
            assert position.turn == theirs.current_player()
            actions = theirs.legal_actions()
            assert playout.legal(position) == sum(map(BIT.__getitem__, actions))
            action = choose(chance, actions, kind)
            theirs.apply_action(action)
            playout.apply(position, OURS[action])
        if theirs.is_terminal():
            assert position.turn == -1
            assert (position.contract, position.n_calls) == (0, 4)
        else:
            assert position.turn == position.leader == theirs.current_player()
            assert contract_number(position) == theirs.contract_index()
