"""Runs Python scripts as processes of their own, as forks of one that has imported PyTorch, which takes longer than the scripts."""

from __future__ import annotations

import multiprocessing
import os
import pathlib
import runpy
import subprocess
import sys
import traceback


def _as_program(words: tuple[str, ...], folder: str, path: list[str], out: str, err: str) -> None:
    for stream, file in ((1, out), (2, err)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream)
    os.chdir(folder)
    is_text = words[0] == "-c"
    sys.argv = ["-c", *words[2:]] if is_text else list(words)
    sys.path[:] = ["" if is_text else str(pathlib.Path(folder, words[0]).parent), *path]
    status = 0
    try:
        if is_text:
            exec(compile(words[1], "<string>", "exec"), {"__name__": "__main__"})
        else:
            runpy.run_path(words[0], run_name="__main__")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:  # as the interpreter does
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def run_python(*words: object, cwd: pathlib.Path, path: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Runs `python WORD…` in a folder: a script, or a text after "-c". `path` comes before the path of the interpreter."""
    installed = [entry for entry in sys.path if "site-packages" in entry or entry.startswith(sys.base_prefix)]
    names = [cwd / f"{os.urandom(8).hex()}.{stream}" for stream in ("out", "err")]
    arguments = tuple(map(str, words))
    process = multiprocessing.get_context("forkserver").Process(
        target=_as_program, args=(arguments, str(cwd), [*path, *installed], *map(str, names)))
    process.start()
    process.join(300)
    if process.exitcode is None:
        process.kill()
        raise subprocess.TimeoutExpired(arguments, 300)
    texts = [name.read_text(encoding="utf-8") if name.exists() else "" for name in names]
    for name in names:
        name.unlink(missing_ok=True)
    return subprocess.CompletedProcess(arguments, process.exitcode, *texts)
