"""Prints the SHA-256 of the first 128 bytes of a section of a container.

usage: ane-objdump --commands FILE | prefix.py FILE SECTION
"""
import hashlib
import sys

from section import read_section

path, section = sys.argv[1:]
data = read_section(path, section, sys.stdin.read())
print(hashlib.sha256(data[:128]).hexdigest())
