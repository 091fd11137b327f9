"""The examples of docs/running-parts.md run, one after the other."""

from __future__ import annotations

import pathlib
import re
import shlex
import shutil
import subprocess

import pytest
import torch

from processes import run_python
from sunder import programs

TOP = pathlib.Path(__file__).resolve().parents[3]


def test_the_examples_run(tmp_path: pathlib.Path) -> None:
    try:
        torch.export.load(TOP / "resources" / "samples" / "transformer.pt2")
    except Exception as error:  # any error of an older release about a newer file
        pytest.skip(f"PyTorch {torch.__version__} does not read the sample: {error}")
    for sample in (TOP / "resources" / "samples").glob("transformer.*"):
        shutil.copy(sample, tmp_path)
    blocks = re.findall(
        r"^```(sh|python)\n(.*?)^```", (TOP / "docs" / "running-parts.md").read_text("utf-8"), re.M | re.S
    )
    assert len(blocks) > 3
    for line in (line for language, text in blocks if language == "sh" for line in text.splitlines()):
        words = shlex.split(line)
        assert words[0] == "sunder-cli"
        subprocess.run([programs.find("sunder-cli"), *words[1:]], cwd=tmp_path, check=True, capture_output=True)
    package = pathlib.Path(programs.__file__).resolve().parents[1]
    begin = f"import sys; sys.path.insert(0, {str(package)!r})\n"
    script = begin + "".join(text for language, text in blocks if language == "python")
    done = run_python("-c", script, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "equal, bit for bit: 1 output, 0 buffers after the call" in done.stdout
