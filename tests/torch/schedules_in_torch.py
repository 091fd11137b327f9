#!/usr/bin/env python3
"""schedules_in_torch.py SUNDER_CLI: compares `sunder-cli schedule` with torch.distributed.pipelining.

Orders, refusals, and figures at unit times for many sizes, by ../shared/oracle/schedule.py, if it exists. The files of --csv are
loaded by `_PipelineScheduleRuntime._load_csv`, which adds the sends and receives. The traces of --trace, with and without a model,
have slices that do not overlap, a flow from each send to its receive, and counters.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
from unittest import mock

from torch_test import status_elsewhere

if __name__ == "__main__" and (status := status_elsewhere(sys.argv)) is not None:
    sys.exit(status)

from torch.distributed.pipelining.schedules import _PipelineScheduleRuntime
from torch.distributed.pipelining.stage import PipelineStage

ROOT = pathlib.Path(__file__).resolve().parents[2]
ORACLE = ROOT.parent / "shared" / "oracle"
MODEL = ROOT / "resources" / "samples" / "transformer.pt2"
ONE_STAGE = ("GPipe", "1F1B")
TWO_STAGES = ("LoopedBFS", "Interleaved1F1B", "InterleavedZeroBubble", "ZBVZeroBubble", "DualPipeV")


def run(cli, *arguments):
    done = subprocess.run([cli, *map(str, arguments), "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout)


def loaded(path, ranks, chunks, micro_batches):
    """The order that PyTorch reads, with its own sends and receives."""
    stages = []
    for chunk in range(chunks):
        stage = mock.create_autospec(PipelineStage, instance=True)
        stage.group_rank, stage.group_size, stage.num_stages, stage.stage_index = 0, ranks, ranks * chunks, chunk * ranks
        stage.submod, stage.has_backward = None, True
        stages.append(stage)
    runtime = _PipelineScheduleRuntime(stages, micro_batches)
    runtime._load_csv(path)
    return runtime


def check_csv(cli, folder):
    for name in (*ONE_STAGE, *TWO_STAGES):
        for ranks, micro_batches in ((1, 2), (2, 4), (4, 8)):
            path = folder / "orders.csv"
            said = run(cli, "schedule", "--schedule", name, "--ranks", ranks, "--micro-batches", micro_batches, "--csv", path)
            runtime = loaded(path, ranks, 1 if name in ONE_STAGE else 2, micro_batches)
            read = [list(map(str, runtime.pipeline_order[rank])) for rank in range(ranks)]
            with_transfers = [str(action) for row in runtime.pipeline_order_with_comms.values() for action in row]
            yield read == said["orders"] and any("SEND_F" in action for action in with_transfers) == (ranks > 1)


def check_trace(trace, said):
    """Whether a trace holds the timetable that the command printed."""
    events = trace["traceEvents"]
    by_phase = collections.defaultdict(list)
    for event in events:
        by_phase[event["ph"]].append(event)
    slices = collections.defaultdict(list)
    for event in by_phase["X"]:
        slices[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    for lane in slices.values():
        lane.sort()
        if any(second[0] < first[1] - 1e-6 for first, second in zip(lane, lane[1:])):
            return False
    threads = {(event["pid"], event["tid"]): event["args"]["name"] for event in by_phase["M"] if event["name"] == "thread_name"}
    if sorted(set(threads.values())) != ["compute", "receive", "send"]:
        return False
    compute = [event for event in by_phase["X"] if threads[event["pid"], event["tid"]] == "compute"]
    if len(compute) != len(said["actions"]):
        return False
    starts = {event["id"]: event for event in by_phase["s"]}
    ends = {event["id"]: event for event in by_phase["f"]}
    if starts.keys() != ends.keys() or len(starts) != len(said["transfers"]):
        return False
    for number, start in starts.items():
        end = ends[number]
        lanes = threads[start["pid"], start["tid"]], threads[end["pid"], end["tid"]]
        if lanes != ("send", "receive") or end["ts"] < start["ts"] or start["pid"] == end["pid"]:
            return False
        for event in (start, end):  # a flow is drawn between the slices around its ends
            if not any(first <= event["ts"] <= last for first, last in slices[event["pid"], event["tid"]]):
                return False
    peaks = collections.defaultdict(int)
    for event in by_phase["C"]:
        peaks[event["pid"]] = max(peaks[event["pid"]], event["args"]["bytes"])
    return all(peaks[rank] == (row["peak_bytes"] or 0) for rank, row in enumerate(said["ranks"]))


def check_traces(cli, folder):
    path, tags = folder / "trace.json", folder / "tags.json"
    run(cli, "tag", MODEL, "--stages", 4, "-o", tags)
    for name in (*ONE_STAGE, *TWO_STAGES, "inference"):
        said = run(cli, "schedule", "--schedule", name, "--ranks", 4, "--micro-batches", 8, "--trace", path)
        yield check_trace(json.loads(path.read_text(encoding="utf-8")), said)
        said = run(cli, "schedule", MODEL, "--tags", tags, "--schedule", name, "--micro-batches", 8, "--trace", path)
        yield check_trace(json.loads(path.read_text(encoding="utf-8")), said)


def check_oracle(cli, is_quick):
    if not (ORACLE / "schedule.py").exists():
        print("without ../shared/oracle/schedule.py, orders are not compared")
        return
    sys.path.insert(0, str(ORACLE))
    import schedule

    yield schedule.check(cli, is_quick)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cli")
    parser.add_argument("--quick", action="store_true", help="three sizes for each schedule, not fifty")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results = [*check_csv(args.cli, pathlib.Path(folder)), *check_traces(args.cli, pathlib.Path(folder)),
                   *check_oracle(args.cli, args.quick)]
    print(f"{len(results)} comparisons, {results.count(False)} differ")
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
