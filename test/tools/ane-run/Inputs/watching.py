"""Checks the JSON of ane-run: stats FILE, or trace FILE PROCESSES."""

import json
import sys

kind, path = sys.argv[1:3]
with open(path) as file:
    data = json.load(file)

if kind == "stats":
    tasks, total = data["tasks"], data["total"]
    assert tasks
    for key in ("macs", "source1Bytes", "kernelBytes", "resultBytes", "cycles"):
        assert total[key] == sum(task[key] for task in tasks), key
    # Of the formulas: one microsecond is 1430 cycles.
    assert abs(total["engineMicroseconds"] - total["cycles"] / 1430) < 1e-6
    assert all(task["cycles"] >= 44 for task in tasks)
    assert total["bound"] == "dispatch"
else:
    events = [event for event in data["traceEvents"] if event["ph"] == "X"]
    processes = {event["pid"] for event in events}
    assert processes == set(range(1, int(sys.argv[3]) + 1)), processes
    for process in processes:
        end = 0
        for event in events:
            if event["pid"] == process:
                assert event["ts"] >= end - 1e-6
                end = event["ts"] + event["dur"]
