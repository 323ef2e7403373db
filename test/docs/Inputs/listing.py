#!/usr/bin/python3
"""Compares what a page shows behind commands with what they print:
listing.py PAGE PART PRINTED. It takes each command of the page of which PART is
a part; a listing ends with its block or at the next command. A line `...` in it
stands for any lines, empty lines do not count. Exit status: 0 the file PRINTED
has them all, 1 not, or there is none."""
import sys


def listings(lines, part):
    for first, line in enumerate(lines):
        if not line.strip().startswith("$ ") or part not in line:
            continue
        indent = len(line) - len(line.lstrip())
        shown = []
        for other in lines[first + 1:]:
            if other == "```" or other.strip().startswith("$ ") or (
                    indent and other and not other.startswith(" " * indent)):
                break
            if other.strip():
                shown.append(other[indent:].rstrip())
        yield shown


def find(piece, printed, start, anywhere):
    """Where printed goes on behind a piece; nothing if it has none."""
    ends = range(start, len(printed) - len(piece) + 1) if anywhere else [start]
    for begin in ends:
        if printed[begin:begin + len(piece)] == piece:
            return begin + len(piece)
    return None


def missing(shown, printed):
    """The first piece that is not printed; nothing if all are."""
    at, piece, anywhere = 0, [], False
    for line in shown + [None]:
        if line != "..." and line is not None:
            piece.append(line)
            continue
        at = find(piece, printed, at, anywhere)
        if at is None:
            return piece
        piece, anywhere = [], True
    return None if anywhere and shown[-1] == "..." or at == len(printed) \
        else printed[at:]


def main():
    page, part, printed = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        found = list(listings(file.read().split("\n"), part))
    with open(printed, encoding="utf-8") as file:
        lines = [line.rstrip() for line in file.read().split("\n")
                 if line.strip()]
    if not found:
        sys.exit(f"{page} shows no command with {part}")
    for shown in found:
        wrong = missing(shown, lines)
        if wrong is not None:
            sys.exit("\n".join([f"{page} and what is printed differ:"] + wrong))


main()
