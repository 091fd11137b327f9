"""python -m sunder.witness: runs models for `sunder-cli verify --torch`. Reads a request, a JSON object, from standard input, and
writes an answer, a JSON object, to standard output. Output of models goes to standard error.

Request: `a`, `b` (paths), `model_a`, `model_b` (names of programs, or null), `said` (the verdict of verify), `seconds`, `witness`
(where to write one), `replay` (a witness to run again, or null). Answer: `said` with the results of the run, and in `run.witness`
whether a witness was written; or `error`, with its `code`, `message`, and `where`.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from typing import Any, Mapping

from ..errors import SunderError
from .archive import Witness
from .search import ROUNDED, Outcome, judged, replayed, search

_SHARE = 0.8  # of the memory that is free when the process starts


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answers a request. Raises SunderError if the witness to run again cannot be read, and OSError if none can be written."""
    names = {"model_a": request.get("model_a"), "model_b": request.get("model_b"), "rounding": request["said"]["verdict"] == ROUNDED}
    if request.get("replay"):
        outcome = _outcome_of(Witness.load(request["replay"]), request, names)
    else:
        outcome = search(request["a"], request["b"], float(request["seconds"]), **names)
    said = judged(request["said"], outcome)
    if outcome.witness is not None and request.get("witness"):
        outcome.witness.save(request["witness"])
    said["run"]["witness"] = outcome.witness is not None
    return said


def _outcome_of(witness: Witness, request: Mapping[str, Any], names: Mapping[str, Any]) -> Outcome:
    """Runs a witness again."""
    try:
        found = replayed(witness, request["a"], request["b"], **names)
    except SunderError as error:
        return Outcome(why_not=str(error))
    again = Witness(found, witness.names, witness.calls, witness.about) if found else None
    return Outcome(trials=1, witness=again)


def _bound_memory() -> None:
    """Limits memory, so that an allocation fails before the machine runs out of memory."""
    if sys.platform != "linux":
        return
    with open("/proc/meminfo", encoding="ascii") as lines:
        free = next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
    resource.setrlimit(resource.RLIMIT_DATA, (int(free * _SHARE),) * 2)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # no trace when it is interrupted
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    _bound_memory()
    try:
        said = answer(json.load(sys.stdin))
    except SunderError as error:
        said = {"error": {"code": error.code, "message": error.text, "where": error.where}}
    except OSError as error:
        said = {"error": {"code": "io", "message": str(error), "where": {}}}
    with out:
        json.dump(said, out)


if __name__ == "__main__":
    main()
