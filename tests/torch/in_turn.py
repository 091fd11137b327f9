"""Runs test scripts one after another: `in_turn.py SCRIPT [ARGUMENT…] [-- SCRIPT [ARGUMENT…]]…`

PyTorch is imported once, which takes longer than many of the scripts; each script runs in a fork of the process. Prints the exit
status and the processor time of every script. Exit 1 if one failed, 77 (skipped) if all were skipped, among other reasons without SUNDER_TORCH_PYTHON.
"""

import itertools
import os
import pathlib
import sys
import traceback
import types

import torch_test

os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")  # read when torch is imported


def status_of(script, arguments):
    """Runs a script as its own program would."""
    sys.argv, sys.path[0] = [str(script), *arguments], str(script.parent)
    # Not runpy, because PyTorch's samples look up the modules of their callers, which takes long for those of the interpreter.
    sys.modules["in_turn"] = sys.modules["__main__"]
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__file__ = str(script)
    try:
        exec(compile(script.read_bytes(), script, "exec"), main.__dict__)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code)
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # as the interpreter does
        traceback.print_exc()
        return 1
    return 0


def run(script, arguments):
    """Returns the exit status, and the processor time in seconds, that of its own processes included."""
    child = os.fork()
    if child == 0:
        status = status_of(script, arguments)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    _, status, used = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime


def main(argv):
    import torch._dynamo  # noqa: F401 both are imported by the first export
    import torch.export  # noqa: F401
    statuses = []
    for is_end, words in itertools.groupby(argv[1:], lambda word: word == "--"):
        if is_end:
            continue
        name, *arguments = words
        print(f"==== {name}", flush=True)
        status, seconds = run(pathlib.Path(__file__).resolve().parent / name, arguments)
        statuses.append(status)
        print(f"==== {name}: exit status {status}, {seconds:.0f} s of processor time", flush=True)
    if all(status == torch_test.SKIPPED for status in statuses):
        return torch_test.SKIPPED
    return int(any(status not in (0, torch_test.SKIPPED) for status in statuses))


if __name__ == "__main__":
    status = torch_test.status_elsewhere(sys.argv)
    sys.exit(main(sys.argv) if status is None else status)
