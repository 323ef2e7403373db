"""Prints the slot records of a v10 container: where the address is, the slot, and
the offset in the buffer.

usage: ane-objdump --commands FILE | slots.py FILE
"""
import sys

from section import read_section, units

SLOT_MARKER = 0x1228
REGISTER_APERTURE = 0x20000000
ADDRESS_WORD = 3

words = units(read_section(sys.argv[1], "__TEXT,__text", sys.stdin.read()), 4)
for index, word in enumerate(words):
    if word == SLOT_MARKER:
        slot = (words[index + 1] - REGISTER_APERTURE) // 4
        offset = words[index + ADDRESS_WORD]
        print(f"__text+{4 * (index + ADDRESS_WORD):#x} slot {slot:#x} offset {offset:#x}")
