#!/usr/bin/python3
"""Compiles old/model.mil and new/model.mil and patches the one into the other:
patches.py ANE-COMPILE ANE-PATCH FOLDER OPTION...

FOLDER gets old.hwx, new.hwx and patched.hwx, the last two of which are one.
"""
import hashlib
import os
import subprocess
import sys

compiler, patcher, folder, *options = sys.argv[1:]
os.mkdir(folder)


def path(name):
    return os.path.join(folder, name)


def contents(name):
    return open(path(name), "rb").read()


for age in ["old", "new"]:
    model, container = age + "/model.mil", path(age + ".hwx")
    subprocess.run([compiler, model, "-o", container, *options], check=True)
assert contents("old.hwx") != contents("new.hwx")
patch = [patcher, path("old.hwx"), "--model", "new/model.mil", "-o"]
subprocess.run([*patch, path("patched.hwx")], check=True)
assert contents("patched.hwx") == contents("new.hwx")
# The descriptors differ in the name of the container, of one length.
digest = hashlib.sha256(contents("new.hwx")).hexdigest().encode()
assert digest in contents("patched.e5") and digest not in contents("old.e5")
os.mkdir(path("folder"))
subprocess.run([*patch, path("folder/new.hwx")], check=True)
assert contents("folder/new.hwx") == contents("new.hwx")
assert contents("folder/new.e5") == contents("new.e5")
