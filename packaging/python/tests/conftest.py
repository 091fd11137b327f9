"""Models that the tests share. Without PyTorch or sunder-cli there is nothing to test."""

from __future__ import annotations

import multiprocessing
import pathlib
import sys
from typing import Any, Iterator

import pytest

torch = pytest.importorskip("torch")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import models  # noqa: E402

# Processes of the tests are forks of one that has imported these and done nothing else.
multiprocessing.set_forkserver_preload(["torch", "torch.distributed.pipelining", "torch._dynamo", "torch.export", "pytest"])


@pytest.fixture(autouse=True)
def same_numbers() -> None:
    torch.manual_seed(7)


@pytest.fixture(autouse=True)
def same_global_state() -> Iterator[None]:
    """A graph that raises inside a region leaves the region's state set, as PyTorch's own modules do; the next test begins without."""
    autocast = torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")
    with torch.set_grad_enabled(torch.is_grad_enabled()):
        yield
    torch.set_autocast_enabled("cpu", autocast[0])
    torch.set_autocast_dtype("cpu", autocast[1])


@pytest.fixture(params=sorted(models.TRACED), ids=str)
def traced(request: Any) -> Any:
    return models.traced(request.param)


@pytest.fixture(params=sorted(models.EXPORTED), ids=str)
def exported(request: Any) -> Any:
    return models.exported(request.param)
