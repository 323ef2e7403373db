#!/usr/bin/python3
"""Prints some fields of a listing, by the documented keys: json-keys.py FILE"""
import json
import sys

document = json.load(open(sys.argv[1]))


def check(item):
    """Each field has a value; evidence is one of three words."""
    assert set(item) <= {"title", "fields", "items"}, set(item)
    for name, field in item["fields"].items():
        assert "value" in field, name
        assert set(field) <= {"value", "meaning", "evidence"}, field
        if "evidence" in field:
            assert field["evidence"] in ("verified", "documented", "assigned")
    for child in item.get("items", []):
        check(child)


def value(item, name):
    return item["fields"][name]["value"]


def child(item, title):
    return next(i for i in item["items"] if i["title"].endswith(title))


print(f"schema {document.pop('schema')}, file {document.pop('file')}")
print("parts", *document)
for part in document.values():
    for item in part if isinstance(part, list) else [part]:
        check(item)
ncmds = document["header"]["fields"]["ncmds"]
print("header ncmds", ncmds["value"], ncmds["evidence"])
program = document["commands"][6]
print("command 6 BAR[4]", value(program, "BAR[4]"), "taskCount", value(program, "taskCount"))
text = child(document["commands"][1], "__text")
print("section __text nreloc", value(text, "nreloc"))
symbol = document["symbols"][3]
print("symbol 3", value(symbol, "name"), value(symbol, "value"))
port = document["ports"][0]
print("port x shape", *value(port, "shape"), "bar", value(port, "bar"), "readBy", *value(port, "readBy"))
print("task 0 Common InDim.Win", value(child(document["tasks"][0], "Common"), "InDim.Win"))
print("lane 1 base", value(document["lanes"][1], "base"))
record = child(document["registers"][0], "KernelDMASrc")
print("registers KernelDMASrc", len(value(record, "words")), "words")
print("e5 function", value(document["e5"], "function"))
