"""Where sunder-cli writes: devices, pipes and sockets are written to, links are followed, modes are kept, nothing is written
over what is read, all outputs of a command appear or none, and what a killed run left is taken away.

    outputs_are_whole.py SUNDER_CLI
"""
import json
import os
import resource
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest

CLI = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "sunder-cli"


def model(nodes=3, width=8):
    lines = [{"k": "fx-json", "v": [1, 0], "min": [1, 0]}, {"k": "graph", "id": "g0", "module": ""}]
    val = {"tensor": {"dtype": "float32", "shape": [width], "stride": [1], "device": "cpu"}}
    calls = [f"n{i}" for i in range(nodes)]
    last = "x"
    found = [{"k": "node", "g": "g0", "name": "x", "op": "placeholder", "target": "x", "args": [], "kwargs": [], "val": val}]
    for name in calls:
        found.append({"k": "node", "g": "g0", "name": name, "op": "call_function", "target": "torch.ops.aten.relu.default",
                      "args": [{"n": last}], "kwargs": [], "val": val})
        last = name
    found.append({"k": "node", "g": "g0", "name": "output", "op": "output", "target": "output", "args": [{"n": last}], "kwargs": []})
    text = "".join(json.dumps(line) + "\n" for line in lines + found + [{"k": "end", "nodes": len(found)}])
    return text, calls


class Outputs(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = self.temporary.name
        text, calls = model()
        self.write("in.fxj", text)
        self.write("tags.json", json.dumps({"order": ["p", "q"], "tags": {"n0": "p", "n1": "p", "n2": "q"}}))
        self.write("three.json", json.dumps({"order": ["p", "q", "r"], "tags": {"n0": "p", "n1": "q", "n2": "r"}}))
        self.write("devices.json", json.dumps([{"name": "d0", "available_mem_bytes": 80}, {"name": "d1", "available_mem_bytes": 80}]))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as out:
            out.write(text)

    def read(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def cli(self, *words, status=0, says="", **more):
        done = subprocess.run([CLI, *words], cwd=self.folder, capture_output=True, text=True, timeout=60, **more)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertIn(says, done.stdout + done.stderr)
        return done

    def left(self):
        return sorted(os.listdir(self.folder))

    def split(self, *words, tags="tags.json", **more):
        return self.cli("split", "in.fxj", "--tags", tags, *words, **more)

    # Devices, pipes, sockets, links, modes

    def test_a_device_is_written_to(self):
        if os.geteuid() == 0:
            null = self.path("null")
            os.mknod(null, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
            self.cli("convert", "in.fxj", "in2.fxj")
            self.cli("split", "in.fxj", "--tags", "tags.json", "-o", null)
            self.assertTrue(stat.S_ISCHR(os.stat(null).st_mode))
        self.split("-o", "/dev/null")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        self.split("-o", "/dev/full", status=3, says="/dev/full: cannot write: No space left on device")

    def test_standard_output_and_open_files_are_written_to(self):
        for place in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
            done = self.split("-o", place)
            self.assertTrue(done.stdout.startswith('{"k":"fx-json"'))
            self.assertTrue(done.stdout.rstrip().split("\n")[-1].startswith('{"k":"end"'), done.stdout[-200:])
            self.assertIn("wrote " + place, done.stderr)
        with open(self.path("redirected"), "w") as out:
            out.write("before\n")
            out.flush()
            subprocess.run([CLI, "split", "in.fxj", "--tags", "tags.json", "-o", "/dev/stdout"], cwd=self.folder, stdout=out, check=True,
                           stderr=subprocess.DEVNULL)
        self.assertTrue(self.read("redirected").startswith('before\n{"k":"fx-json"'))
        self.split("-o", "/dev/stdout", "--json", status=2, says="--json")
        read, write = os.pipe()
        self.split("-o", f"/dev/fd/{write}", pass_fds=[write])
        os.close(write)
        with os.fdopen(read) as pipe:
            self.assertTrue(pipe.read().rstrip().split("\n")[-1].startswith('{"k":"end"'))
        self.split("-o", "/dev/fd/77", status=3, says="Bad file descriptor")

    def test_a_pipe_and_a_socket_are_written_to(self):
        os.mkfifo(self.path("pipe.fxj"))
        got = []
        reader = threading.Thread(target=lambda: got.append(self.read("pipe.fxj")))
        reader.start()
        self.cli("convert", "in.fxj", "pipe.fxj")
        reader.join()
        self.assertIn('{"k":"end"', got[0])
        self.assertTrue(stat.S_ISFIFO(os.stat(self.path("pipe.fxj")).st_mode))
        server = socket.socket(socket.AF_UNIX)
        server.bind(self.path("socket"))
        server.listen()
        def serve():
            with server.accept()[0] as connection, connection.makefile() as text:
                got.append(text.read())
        reader = threading.Thread(target=serve)
        reader.start()
        self.split("-o", "socket")
        reader.join()
        server.close()
        self.assertIn('{"k":"end"', got[1])
        self.assertTrue(stat.S_ISSOCK(os.stat(self.path("socket")).st_mode))

    def test_links_are_followed_and_modes_are_kept(self):
        os.mkdir(self.path("far"))
        self.write("far/real.fxj", "old")
        os.chmod(self.path("far/real.fxj"), 0o640)
        os.symlink("far/real.fxj", self.path("link.fxj"))
        self.split("-o", "link.fxj")
        self.assertTrue(os.path.islink(self.path("link.fxj")))
        self.assertIn('{"k":"end"', self.read("far/real.fxj"))
        self.assertEqual(stat.S_IMODE(os.stat(self.path("far/real.fxj")).st_mode), 0o640)
        os.symlink("far/later.fxj", self.path("dangling.fxj"))
        self.split("-o", "dangling.fxj", preexec_fn=lambda: os.umask(0o027))
        self.assertIn('{"k":"end"', self.read("far/later.fxj"))
        self.assertEqual(stat.S_IMODE(os.stat(self.path("far/later.fxj")).st_mode), 0o640)
        if os.geteuid() == 0:
            os.chown(self.path("far/real.fxj"), 1234, 2345)
            self.split("-o", "link.fxj")
            self.assertEqual((os.stat(self.path("far/real.fxj")).st_uid, os.stat(self.path("far/real.fxj")).st_gid), (1234, 2345))
        os.mkdir(self.path("real_parts"), 0o750)
        os.symlink("real_parts", self.path("parts"))
        self.split("--parts", "parts")
        self.assertTrue(os.path.islink(self.path("parts")))
        self.assertEqual(stat.S_IMODE(os.stat(self.path("real_parts")).st_mode), 0o750)
        self.assertIn("manifest.json", os.listdir(self.path("real_parts")))

    def test_a_full_standard_output_is_an_error(self):
        with open("/dev/full", "w") as full:
            for words in (["info", "in.fxj", "--json"], ["info", "in.fxj"], ["--help"], ["info", "--help"], ["info", "none", "--json"]):
                done = subprocess.run([CLI, *words], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, 3, words)
                self.assertIn("standard output: cannot write: No space left on device", done.stderr)

    # Roles

    def test_no_output_is_an_input_or_another_output(self):
        os.link(self.path("in.fxj"), self.path("hard.fxj"))
        os.symlink("in.fxj", self.path("soft.fxj"))
        os.symlink(".", self.path("here"))
        os.mkdir(self.path("parts"))
        refused = [
            ["convert", "in.fxj", "in.fxj"], ["convert", "in.fxj", "./in.fxj"], ["convert", "in.fxj", "hard.fxj"], ["convert", "in.fxj", "soft.fxj"],
            ["convert", "soft.fxj", "in.fxj"], ["convert", "in.fxj", "here/in.fxj"],
            ["convert", "in.fxj", "tags.json", "--tags", "tags.json"],
            ["split", "in.fxj", "--tags", "tags.json", "-o", "tags.json"],
            ["split", "in.fxj", "--tags", "tags.json", "-o", "out.fxj", "--dag", "out.fxj"],
            ["split", "in.fxj", "--tags", "tags.json", "-o", "out.fxj", "--cost", "here/out.fxj"],
            ["split", "in.fxj", "--tags", "tags.json", "--parts", "parts", "--dag", "parts/manifest.json"],
            ["split", "in.fxj", "--tags", "tags.json", "--parts", "parts", "-o", "parts/p.fxj"],
            ["split", "in.fxj", "--tags", "tags.json", "--fqn-map", "in.fxj", "-o", "out.fxj"],
            ["partition", "in.fxj", "--devices", "devices.json", "-o", "out.fxj", "--dag", "devices.json"],
            ["partition", "in.fxj", "--devices", "devices.json", "-o", "out.fxj", "--dag", "d.json", "--result", "d.json"],
            ["split", "in.fxj", "--tags", "tags.json", "-o", "/dev/null", "--dag", "/dev/null"],
            ["render", "in.fxj", "in.fxj"], ["tag", "in.fxj", "--stages", "2", "-o", "in.fxj"],
            ["convert", "missing.fxj", "missing.fxj"],
        ]
        before = {name: self.read(name) for name in self.left() if os.path.isfile(self.path(name))}
        for words in refused:
            self.cli(*words, status=2)
        self.assertEqual({name: self.read(name) for name in self.left() if os.path.isfile(self.path(name))}, before)

    def test_parts_never_replace_their_source(self):
        self.split("--parts", "parts")
        os.rename(self.path("in.fxj"), self.path("parts/p.fxj"))
        whole = self.read("parts/p.fxj")
        self.cli("split", "parts/p.fxj", "--tags", "tags.json", "--parts", "parts", status=2)
        os.unlink(self.path("parts/manifest.json"))
        self.cli("split", "parts/p.fxj", "--tags", "tags.json", "--parts", "parts", status=2, says="cut from")
        self.assertEqual(self.read("parts/p.fxj"), whole)

    def test_every_option_is_heard(self):
        self.cli("split", "in.fxj", "--tags", "tags.json", "--tags", "three.json", "-o", "o.fxj", status=2, says="twice")
        self.cli("split", "in.fxj", "--tags", "tags.json", "-o", "", status=2, says="needs a value")
        self.cli("render", "in.fxj", "o.svg", "--expand", "nosuch", status=2, says="nosuch")
        self.cli("render", "in.fxj", "o.svg", "--scale", "nan", status=2, says="nan")
        self.cli("info", "in.fxj", "--model", "nosuch", status=2, says="nosuch")
        self.cli("tag", "in.fxj", "--stages", "-1", "-o", "t.json", status=2)
        self.assertEqual(self.left(), ["devices.json", "in.fxj", "tags.json", "three.json"])

    def test_side_files_name_what_is_not_there(self):
        def side(text, status, *says, words=("split", "in.fxj", "-o", "o.fxj", "--tags", "side.json")):
            self.write("side.json", json.dumps(text))
            done = self.cli(*words, status=status)
            for word in says:
                self.assertIn(word, done.stderr)
            self.assertFalse(os.path.exists(self.path("o.fxj")))

        tags = {"n0": "p", "n1": "p", "n2": "q"}
        side({"order": ["p", "q"], "tags": {**tags, "n7": "p"}}, 1, "n7", "side.json")
        side({"order": ["p"], "tags": tags}, 1, "n2", "q", "side.json")
        side({"order": ["p", "q", "p"], "tags": tags}, 3, '"p"', "second time")
        side({"order": ["p", "q"], "tags": tags, "color": {"z": "#112233"}}, 1, "z")
        convert = ("convert", "in.fxj", "o.fxj", "--tags", "side.json")
        side({"order": ["p", "q"], "tags": {"n7": "p"}}, 1, "n7", words=convert)
        side({"order": ["p", "q"], "tags": {"n0": "z"}}, 1, "n0", "z", words=convert)
        side({"order": ["p", "q"], "tags": {"n0": "z"}}, 1, "z", words=("render", "in.fxj", "o.svg", "--tags", "side.json"))
        side({"order": ["p", "q"], "tags": {"n7": "p"}}, 1, "n7", words=("compare", "in.fxj", "tags.json", "side.json"))
        side({"n0": 0, "n1": 0, "n2": 1, "n7": 1}, 1, "n7", words=("split-module", "in.fxj", "-o", "o.fxj", "--partitions", "side.json"))
        move = ("move-non-tensor", "in.fxj", "-o", "o.fxj", "--subgraphs", "side.json")
        side([{"is_acc": True, "nodes": ["n0", "n7"]}], 1, "n7", words=move)
        side([{"is_acc": True, "nodes": ["n0"]}, {"is_acc": False, "nodes": ["n0"]}], 1, "n0", words=move)
        devices = ("partition", "in.fxj", "-o", "o.fxj", "--devices", "side.json")
        side([{"name": "a", "logical_id": 1, "available_mem_bytes": 80}, {"name": "b", "logical_id": 1, "available_mem_bytes": 80}], 3,
             "1", "second device", words=devices)
        config = ("partition", "in.fxj", "-o", "o.fxj", "--config", "side.json")
        two = [{"name": "a", "available_mem_bytes": 80}, {"name": "b", "available_mem_bytes": 80}]
        side({"mode": "cost_aware", "devices": two, "node_to_latency": {"n7": [1, 1]}}, 1, "n7", words=config)
        aot = {"mode": "aot_based", "devices": [{**device, "available_mem_bytes": 1000} for device in two], "node_to_partition": {"x": 0, "n0": 0, "n1": 0, "n2": 1, "output": 1},
               "partition_to_logical_devices": {"0": [0], "1": [1]}}
        side({**aot, "node_to_partition": {**aot["node_to_partition"], "n7": 1}}, 1, "n7", words=config)
        side({**aot, "partition_to_logical_devices": {"0": [0, 0], "1": [1]}}, 1, "0", "twice", words=config)
        side({**aot, "partition_to_logical_devices": {"0": [0], "1": [1], "5": [1]}}, 1, "5", words=config)
        side({**aot, "partition_to_logical_devices": {"0": [0], "1": [9]}}, 1, "9", words=config)
        side({"mode": "size_based", "devices": two, "transfer_rate": 1}, 3, "transfer_rate", words=config)
        side({"order": ["p", "q"], "tag": tags, "tags": tags}, 3, "tag")

    # All or none

    def test_a_failed_output_leaves_none(self):
        self.split("-o", "o.fxj", "--dag", "nowhere/d.json", "--parts", "parts", status=3, says="nowhere/d.json")
        self.split("-o", "o.fxj", "--dag", "/dev/full", "--parts", "parts", status=3)
        os.mkdir(self.path("taken"))
        self.write("taken/p.fxj_is_no_folder", "")
        os.makedirs(self.path("parts/p.fxj/inner"))
        self.split("-o", "o.fxj", "--dag", "d.json", "--parts", "parts", status=3, says="p.fxj")
        self.assertEqual(self.left(), ["devices.json", "in.fxj", "parts", "tags.json", "taken", "three.json"])
        self.assertEqual(os.listdir(self.path("parts")), ["p.fxj"])
        self.write("o.fxj", "old")
        self.write("d.json", "older")
        self.split("-o", "o.fxj", "--dag", "d.json", "--parts", "parts", status=3)
        self.assertEqual((self.read("o.fxj"), self.read("d.json")), ("old", "older"))

    def test_a_full_disk_leaves_all_as_it_was(self):
        text, calls = model(3000)
        self.write("in.fxj", text)
        self.write("tags.json", json.dumps({"order": ["p", "q"], "tags": {name: "pq"[i // 1500] for i, name in enumerate(calls)}}))
        self.write("o.fxj", "old")
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        for words in (["-o", "o.fxj"], ["-o", "o.fxj", "--parts", "parts"], ["--parts", "parts"]):
            self.split(*words, status=3, preexec_fn=limit)
            self.assertEqual(self.left(), ["devices.json", "in.fxj", "o.fxj", "tags.json", "three.json"])
            self.assertEqual(self.read("o.fxj"), "old")

    def test_a_full_file_system_leaves_all_as_it_was(self):
        disk = self.path("disk")
        os.mkdir(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", disk], capture_output=True).returncode != 0:
            self.skipTest("no file system can be mounted")
        try:
            text, calls = model(3000)
            self.write("in.fxj", text)
            tags = {"order": ["p", "q"], "tags": {name: "pq"[i // 1500] for i, name in enumerate(calls)}}
            self.write("tags.json", json.dumps(tags))
            self.split("-o", "disk/o.fxj", "--parts", "disk/parts", status=3, says="No space left on device")
            self.split("--parts", "disk/parts", status=3, says="No space left on device")
            self.assertEqual(os.listdir(disk), [])
        finally:
            subprocess.run(["umount", disk], check=True)

    def test_parts_replace_those_of_an_earlier_export(self):
        self.split("--parts", "parts", tags="three.json")
        self.assertEqual(sorted(os.listdir(self.path("parts"))), ["manifest.json", "p.fxj", "q.fxj", "r.fxj"])
        self.split("--parts", "parts")
        self.assertEqual(sorted(os.listdir(self.path("parts"))), ["manifest.json", "p.fxj", "q.fxj"])
        self.assertEqual([p["file"] for p in json.loads(self.read("parts/manifest.json"))["parts"]], ["p.fxj", "q.fxj"])

    def test_files_of_others_stay_among_parts(self):
        os.mkdir(self.path("parts"))
        self.write("parts/notes.txt", "mine")
        os.mkdir(self.path("parts/more"))
        self.write("parts/more/r.fxj", "mine too")
        self.write("parts/other.fxj", "not of an export")
        self.split("--parts", "parts", tags="three.json")
        self.split("--parts", "parts", "-o", "o.fxj")
        self.assertEqual(sorted(os.listdir(self.path("parts"))), ["manifest.json", "more", "notes.txt", "other.fxj", "p.fxj", "q.fxj"])
        self.assertEqual(self.read("parts/notes.txt") + self.read("parts/more/r.fxj"), "minemine too")
        self.assertEqual(self.left(), ["devices.json", "in.fxj", "o.fxj", "parts", "tags.json", "three.json"])

    def test_what_a_killed_run_left_is_taken_away(self):
        text, calls = model(20_000)
        self.write("big.fxj", text)
        self.write("big.json", json.dumps({"order": ["p", "q"], "tags": {name: "pq"[i * 2 // len(calls)] for i, name in enumerate(calls)}}))
        found = []
        for attempt in range(40):
            process = subprocess.Popen([CLI, "split", "big.fxj", "--tags", "big.json", "--no-verify", "--unproven", "--parts", "parts", "-o", "o.fxj"],
                                       cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while process.poll() is None and not found:
                found = [name for name in self.left() if ".sunder-" in name]
            if found:
                # Another run takes nothing away from one that is at work.
                process.send_signal(signal.SIGSTOP)
                self.split("--parts", "other")
                self.assertTrue(set(found) <= set(self.left()))
                process.kill()
                process.wait()
                break
            process.wait()
        self.assertTrue(found)
        self.assertTrue([name for name in self.left() if ".sunder-" in name])
        os.mkdir(self.path(".mine.sunder-backup"))
        self.split("--parts", "parts")
        self.assertEqual([name for name in self.left() if ".sunder-" in name], [".mine.sunder-backup"])

    def test_a_half_done_replacement_is_undone_by_the_next_run(self):
        os.mkdir(self.path("parts"))
        self.write("parts/notes.txt", "mine")
        self.split("--parts", "parts", tags="three.json")
        before = {name: self.read("parts/" + name) for name in os.listdir(self.path("parts"))}
        # As a killed run leaves it: p replaced, q taken away, s come, r not yet gone.
        scratch = ".parts.sunder-aBcDeF"
        os.makedirs(self.path(scratch + "/old"))
        os.makedirs(self.path(scratch + "/files"))
        self.write(scratch + "/made-by-sunder", "")
        self.write(scratch + "/journal", "+p.fxj\n+q.fxj\n+s.fxj\n-r.fxj\n+../tags.json\n")
        os.rename(self.path("parts/p.fxj"), self.path(scratch + "/old/p.fxj"))
        os.rename(self.path("parts/q.fxj"), self.path(scratch + "/old/q.fxj"))
        self.write("parts/p.fxj", "new")
        self.write("parts/s.fxj", "new")
        self.write(scratch + "/files/q.fxj", "new")
        self.split("--parts", "parts", "-o", "nowhere/o.fxj", status=3)  # fails before anything is put in its place
        self.cli("split", "in.fxj", "--tags", "three.json", "--parts", "parts", "--dag", "/dev/full", status=3)
        self.assertEqual({name: self.read("parts/" + name) for name in os.listdir(self.path("parts"))}, before)
        self.assertFalse(os.path.exists(self.path(scratch)))
        self.assertTrue(os.path.exists(self.path("tags.json")))

    # What is said

    def test_names_cannot_steer_a_terminal(self):
        text, calls = model()
        evil = "n\\u001b[31m\\u009b2J\\u202e\\u0007\\r\\nproven\\u2028"
        self.write("evil.fxj", text.replace('"n1"', f'"{evil}"'))
        def isClean(done):
            for c in done.stdout + done.stderr:
                self.assertTrue(c == "\n" or c >= " " and not "\x7f" <= c <= "\x9f" and c not in "\u202e\u2028", ascii(done.stdout + done.stderr))
        isClean(self.cli("split", "evil.fxj", "--tags", "tags.json", "-o", "o.fxj", status=1))
        isClean(self.cli("tag", "evil.fxj", "--stages", "2", "-o", "t.json", "--json"))
        isClean(self.cli("verify", "evil.fxj", "in.fxj", "--json"))
        isClean(self.cli("verify", "evil.fxj", "in.fxj"))
        isClean(self.cli("info", "no\x1b[31m\u202esuch", status=3))
        self.write("evil.json", json.dumps({"order": ["p"], "tags": {json.loads(f'"{evil}"'): "p"}}))
        done = self.split("-o", "o.fxj", tags="evil.json", status=1)
        isClean(done)
        self.assertEqual(done.stderr.count("\n"), 1)
        isClean(self.split("-o", "o.fxj", "--json", tags="evil.json", status=1))
        for name in ("out.svg", "out.dot"):
            self.cli("convert", "evil.fxj", name)
            for c in self.read(name):
                self.assertTrue(c in "\n" or c >= " " and not "\x7f" <= c <= "\x9f" and c not in "\u202e\u2028", ascii(c))
        import xml.dom.minidom
        xml.dom.minidom.parse(self.path("out.svg"))

    def test_graphviz_reads_the_dot_without_a_warning(self):
        self.cli("convert", "in.fxj", "out.dot")
        self.write("layout.py", LAYOUT)
        done = subprocess.run([sys.executable, self.path("layout.py"), self.path("out.dot")], capture_output=True, text=True)
        if done.returncode == 77:
            self.skipTest("Graphviz's libraries are not installed")
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", "5 [8]\n"))


# Graphviz as a library, which the program needs anyway; warnings go to standard error.
LAYOUT = """
import ctypes, sys
try:
    cgraph, gvc = (ctypes.CDLL(name) for name in ("libcgraph.so.6", "libgvc.so.6"))
except OSError:
    sys.exit(77)
for name in ("agmemread", "agnode"):
    getattr(cgraph, name).restype = ctypes.c_void_p
cgraph.agget.restype = ctypes.c_char_p
gvc.gvContext.restype = ctypes.c_void_p
graph = ctypes.c_void_p(cgraph.agmemread(open(sys.argv[1], "rb").read()))
status = gvc.gvLayout(ctypes.c_void_p(gvc.gvContext()), graph, b"dot")
node = ctypes.c_void_p(cgraph.agnode(graph, b"n0", 0))
print(cgraph.agnnodes(graph), cgraph.agget(node, b"tensor_shape").decode())
sys.exit(status)
"""


if __name__ == "__main__":
    unittest.main()
