"""Reads a page as XML and as HTML, and prints what is in it."""
import collections
import html.parser
import sys
import xml.etree.ElementTree

text = open(sys.argv[1], encoding="utf-8").read()
xml.etree.ElementTree.fromstring(text)


class Counter(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = collections.Counter()
        self.outside = []

    def handle_starttag(self, tag, attributes):
        self.tags[tag] += 1
        self.outside += [value for name, value in attributes
                         if name in ("src", "href")]


counter = Counter()
counter.feed(text)
print("drawings", counter.tags["svg"])
print("rectangles", counter.tags["rect"])
print("rows", counter.tags["tr"])
print("files outside", len(counter.outside))
