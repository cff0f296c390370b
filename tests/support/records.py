"""What tests of the records of all games share."""

import copy


def about(record):
    """What `as_dict` of a game is told besides the game."""
    return {key: record[key] for key in ("options", "seed", "unit", "seating", "seats")}


def changed(record, path, value):
    """A copy of the record with another value at a place."""
    copied = copy.deepcopy(record)
    place = copied
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return copied
