"""Checks that every command ends on SIGINT, SIGTERM, and SIGHUP with status 4 and without incomplete files.

Sends signals at moments spread over the whole run of every command on a large program, and during blocking reads from a silent
pipe and writes to a pipe without a reader, which would never end otherwise. The time until the end is printed (some ms on an idle
machine), but not checked. Freeing the memory takes longest, so the command leaves it to a child process, which must end as well.

    ends_at_signals.py SUNDER_CLI [NODES [MOMENTS]]
"""
import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

EARLIER = 6  # number of retries with half the delay, if no earlier signal arrived during the command
HANGS = 120  # s, after which a signaled process counts as hanging
PR_SET_CHILD_SUBREAPER = 36
WALL = 0x40000000  # includes children that do not signal their end
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


def write_model(path, count, width=4):
    """Writes blocks of matmul, relu, and add in modules, tagged in four stages."""
    with open(path, "w") as out:
        line = lambda **fields: out.write(json.dumps(fields, separators=(",", ":")) + "\n")
        line(k="fx-json", v=[1, 0], min=[1, 0])
        blocks = max(1, count // 8)
        for block in range(blocks):
            line(k="stack", id=block, mods=[["L__self__", "", "m.Net"], [f"b{block}", f"blocks.{block}", "m.Block"]])
        line(k="graph", id="g0", module="")
        nodes = 0

        def node(name, op, target, args, block=None, **more):
            nonlocal nodes
            nodes += 1
            extra = {} if block is None else {"mods": block, "tag": f"p{block * 4 // blocks}"}
            line(k="node", g="g0", name=name, op=op, target=target, args=args, kwargs=[],
                 val={"tensor": {"dtype": "float32", "shape": [8, 8], "stride": [8, 1], "device": "cpu"}}, **extra, **more)

        node("x", "placeholder", "x", [])
        last = "x"
        for block in range(blocks):
            name = lambda kind: f"{kind}_{block}"
            node(name("a"), "call_function", "torch.ops.aten.relu.default", [{"n": last}], block)
            node(name("b"), "call_function", "torch.ops.aten.sigmoid.default", [{"n": last}], block)
            node(name("c"), "call_function", "torch.ops.aten.tanh.default", [{"n": name("a")}], block)
            node(name("d"), "call_function", "torch.ops.aten.add.Tensor", [{"n": name("c")}, {"n": name("b")}], block)
            node(name("e"), "call_function", "torch.ops.aten.mul.Tensor", [{"n": name("d")}, {"n": name("a")}], block)
            node(name("f"), "call_function", "torch.ops.aten.neg.default", [{"n": name("e")}], block)
            node(name("g"), "call_function", "torch.ops.aten.exp.default", [{"n": name("f")}], block)
            node(name("h"), "call_function", "torch.ops.aten.add.Tensor", [{"n": name("g")}, {"n": last}], block)
            last = name("h")
        node("output", "output", "output", [{"n": last}])
        line(k="end", nodes=nodes)
        return [f"{kind}_{b}" for b in range(blocks) for kind in "abcdefgh"]


def catches(pid):
    """Whether the program handles signals already. Before, any signal ends it."""
    try:
        with open(f"/proc/{pid}/status") as status:
            blocked = next(int(line.split()[1], 16) for line in status if line.startswith("SigBlk:"))
    except (OSError, StopIteration):
        return True  # it has ended
    return bool(blocked >> (signal.SIGTERM - 1) & 1)


class Trial:
    def __init__(self, cli, folder):
        self.cli, self.folder = cli, folder
        self.worst, self.count, self.early, self.faults = {}, 0, 0, []
        self.heeded = {}  # per command: number of signals during the run that ended it
        self.latencies = []  # s, printed

    def outputs(self):
        found = {}
        for root, folders, files in os.walk(self.folder):
            for name in folders + files:
                path = os.path.join(root, name)
                if os.path.relpath(path, self.folder).split(os.sep)[0] not in self.inputs:
                    found[os.path.relpath(path, self.folder)] = os.path.isdir(path) or os.path.getsize(path)
        return found

    def clear(self):
        for path in sorted(self.outputs(), reverse=True):
            full = os.path.join(self.folder, path)
            os.rmdir(full) if os.path.isdir(full) else os.unlink(full)

    def run(self, words, delay, number, other=None, begun=True):
        """Returns the status, the seconds from the signal to the end (None if it ended before), and the output. The signal is sent
        `delay` seconds after the start (with `begun`, after the program handles signals, which may take long on a busy machine),
        or, with `other`, once the command has opened its end of a pipe; `other` is the mode of the opposite end."""
        process = subprocess.Popen([self.cli] + words, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said = []
        readers = [threading.Thread(target=lambda s=s: said.append(s.read())) for s in (process.stdout, process.stderr)]
        for reader in readers:
            reader.start()
        end = self.opened(next(word for word in words if word.startswith("pipe")), other) if other is not None else None
        while begun and not catches(process.pid) and process.poll() is None:
            time.sleep(0.001)
        try:
            process.wait(0 if other is not None else delay)
            latency = None
        except subprocess.TimeoutExpired:
            begin = time.monotonic()
            process.send_signal(number)
            try:
                process.wait(HANGS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                self.faults.append(f"{' '.join(words)} does not end at {signal.Signals(number).name}")
            latency = time.monotonic() - begin
        for reader in readers:
            reader.join()
        if end is not None:
            os.close(end)
        return process.returncode, latency, b"".join(said)

    def opened(self, pipe, mode):
        """Returns one end of the pipe after the command has opened the other."""
        ends = []
        opening = threading.Thread(target=lambda: ends.append(os.open(os.path.join(self.folder, pipe), mode)), daemon=True)
        opening.start()
        opening.join(HANGS)
        return ends[0] if ends else None

    def heirs(self):
        """Returns the statuses of orphaned processes."""
        found = []
        while True:
            try:
                found.append(os.waitpid(-1, WALL)[1])
            except ChildProcessError:
                return found

    def judge(self, words, delay, number, whole, moment=1, other=None, own=0):
        """Runs a command and checks its end. With `other`, it waits at a pipe forever, so only the signal can end it. `own` is its status
        without a signal, which is also permitted if the signal arrives when it is about to exit."""
        status, latency, said = self.run(words, delay, number, other, begun=moment > 0)
        name = f"{' '.join(words)} after {delay:.3f} s, {signal.Signals(number).name}"
        if other is not None and latency is None:
            self.faults.append(f"{name}: did not wait at the pipe: status {status}, {said[-200:]!r}")
        left = self.outputs()
        hidden = [path for path in left if ".sunder-" in path]
        if hidden:
            self.faults.append(f"{name}: left behind: {hidden[:3]}")
        heirs = self.heirs()
        if heirs != [0] * (status == 4):
            self.faults.append(f"{name}: status {status}, child processes: {heirs}")
        if left and whole is not None and left != whole:
            self.faults.append(f"{name}: incomplete outputs: {sorted(left)[:5]} instead of {sorted(whole)[:5]}")
        if latency is not None:
            self.count += 1
            self.latencies.append(latency)
            if moment:
                self.heeded[tuple(words)] = self.heeded.get(tuple(words), 0) + (status == 4)
            self.worst[words[0]] = max(self.worst.get(words[0], 0), latency)
            if status == -number and moment == 0 and not left: # no handler before main()
                self.early += 1
            elif other is not None and status != 4:
                self.faults.append(f"{name}: status {status} although only the signal can end it: {said[-200:]!r}")
            elif status not in (own, 4) or (status == own and whole is not None and left != whole):
                self.faults.append(f"{name}: status {status}: {said[-200:]!r}")
        self.clear()


def main():
    for number in SIGNALS:  # a background job may ignore these signals, which the program would inherit
        signal.signal(number, signal.SIG_DFL)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # orphans become children of this process
    cli = os.path.abspath(sys.argv[1])
    nodes = int(sys.argv[2]) if len(sys.argv) > 2 else 200_000
    moments = int(sys.argv[3]) if len(sys.argv) > 3 else 6
    with tempfile.TemporaryDirectory() as folder:
        calls = write_model(os.path.join(folder, "big.fxj"), nodes)
        small = write_model(os.path.join(folder, "small.fxj"), 2_000)
        few = write_model(os.path.join(folder, "few.fxj"), 300)
        with open(os.path.join(folder, "partitions.json"), "w") as out:
            json.dump({name: i * 5 // len(calls) for i, name in enumerate(calls)}, out)
        with open(os.path.join(folder, "subgraphs.json"), "w") as out:
            half = len(calls) // 2
            json.dump([{"is_acc": True, "nodes": calls[:half]}, {"is_acc": False, "nodes": calls[half:]}], out)
        with open(os.path.join(folder, "devices.json"), "w") as out:
            json.dump([{"name": f"d{i}", "available_mem_bytes": 256 * len(calls) // 3} for i in range(8)], out)
        with open(os.path.join(folder, "kl.json"), "w") as out:
            json.dump({"mode": "kl_based", "devices": [{"name": f"d{i}", "available_mem_bytes": 256 * len(few) // 3} for i in range(8)],
                       "transfer_rate_bytes_per_sec": 1e9,
                       "node_to_latency": {name: [1e-6, 1e-6] for name in few}}, out)
        with open(os.path.join(folder, "a.json"), "w") as out:
            json.dump({"order": ["p", "q"], "tags": {name: "pq"[i * 2 // len(calls)] for i, name in enumerate(calls)}}, out)
        with open(os.path.join(folder, "b.json"), "w") as out:
            json.dump({"order": ["p", "q"], "tags": {name: "pq"[i * 3 // 2 // len(calls)] for i, name in enumerate(calls)}}, out)
        for pipe in ("pipe", "pipe.fxj"):
            os.mkfifo(os.path.join(folder, pipe))
        trial = Trial(cli, folder)
        subprocess.run([cli, "convert", "big.fxj", "exported.pt2", "--quiet"], cwd=folder, check=True)
        trial.inputs = {"big.fxj", "exported.pt2", "small.fxj", "few.fxj", "partitions.json", "subgraphs.json", "devices.json", "kl.json", "a.json", "b.json", "pipe", "pipe.fxj"}
        commands = [
            ["info", "big.fxj"],
            ["convert", "big.fxj", "out.fxj"],
            ["convert", "big.fxj", "out.fxj.gz", "--json"],
            ["convert", "big.fxj", "out.dot"],
            ["convert", "big.fxj", "out.py"],
            ["convert", "big.fxj", "out.json"],
            ["tag", "big.fxj", "--stages", "7", "--by", "nodes", "-o", "tags.json"],
            ["check", "big.fxj"],
            ["split", "big.fxj", "-o", "out.fxj", "--dag", "dag.json", "--fqn-map", "map.json", "--cost", "cost.json", "--parts", "parts"],
            ["split-module", "big.fxj", "--partitions", "partitions.json", "-o", "out.fxj", "--dag", "dag.json"],
            ["move-non-tensor", "big.fxj", "--subgraphs", "subgraphs.json", "-o", "out.json"],
            ["partition", "big.fxj", "--devices", "devices.json", "-o", "out.fxj", "--dag", "dag.json", "--result", "result.json", "--unproven"],
            ["partition", "few.fxj", "--config", "kl.json", "-o", "out.fxj", "--unproven"],
            ["unflatten", "exported.pt2", "-o", "out.fxj"],
            ["regions", "big.fxj", "-o", "regions.json", "--why"],
            ["dedup", "big.fxj", "-o", "out.fxj"],
            ["compare", "big.fxj", "a.json", "b.json", "--json"],
            ["verify", "big.fxj", "big.fxj"],
            ["render", "small.fxj", "out.svg", "--expand-all"],
            ["render", "big.fxj", "out.png"],
        ]
        for number in SIGNALS:  # at blocking pipes
            trial.judge(["split", "small.fxj", "--tags", "pipe", "-o", "out.fxj"], 0, number, {}, other=os.O_WRONLY)
            trial.judge(["convert", "small.fxj", "pipe.fxj"], 0, number, {}, other=os.O_RDONLY)
        for words in commands:
            begin = time.monotonic()
            status, latency, said = trial.run(words, 60, signal.SIGTERM)
            whole_time = time.monotonic() - begin
            whole = trial.outputs() if latency is None and status == 0 else None
            trial.clear()
            for moment in range(moments):
                delay = whole_time * (moment + 0.5) / moments if moment else 0.02
                trial.judge(words, delay, SIGNALS[moment % 3], whole, moment, own=status)
            for earlier in range(EARLIER):  # the machine may be faster than during the first run
                if trial.heeded.get(tuple(words)):
                    break
                trial.judge(words, whole_time * 0.5 ** (earlier + 1), signal.SIGTERM, whole, own=status)
            print(f"{words[0]:16} {words[-1]:12} {whole_time:6.2f} s alone, status {status}, worst {trial.worst.get(words[0], 0) * 1000:.0f} ms", flush=True)
            if not trial.heeded.get(tuple(words)):
                trial.faults.append(f"{' '.join(words)}: no signal ended it")
        ordered = sorted(trial.latencies)
        print(f"{trial.count} signals, {trial.early} before the program began, median {ordered[len(ordered) // 2] * 1000:.0f} ms, 95% {ordered[len(ordered) * 95 // 100] * 1000:.0f} ms, "
              f"worst {ordered[-1] * 1000:.0f} ms")
        for fault in trial.faults:
            print("FAULT", fault)
        return 1 if trial.faults else 0


if __name__ == "__main__":
    sys.exit(main())
