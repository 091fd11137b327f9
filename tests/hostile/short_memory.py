"""Checks that sunder-cli ends with a message if memory is short: short_memory.py SUNDER-CLI"""
import json
import os
import resource
import subprocess
import sys
import tempfile

import shapes


def run(cli, words, megabytes):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return subprocess.run([cli, *words], capture_output=True, text=True, timeout=300, preexec_fn=limit)


def main():
    cli = sys.argv[1]
    def least_for(words):
        """The megabytes without which the program does not start."""
        return next((m for m in range(20, 2000, 10) if run(cli, words, m).returncode == 0), None)

    # For pictures, sunder-cli becomes another program, which needs more.
    least_to_start, least_to_draw = least_for(["--help"]), least_for(["render", "--help", "out.svg"])
    if least_to_start is None:
        print("this program does not start with limited memory (sanitizers reserve the address space)")
        return 77
    faults = 0
    short = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "in.fxj")
        tags = os.path.join(folder, "tags.json")
        out = os.path.join(folder, "out")
        with open(path, "wb") as file:
            file.write(shapes.chain(30_000).bytes())
        with open(tags, "w") as file:
            json.dump({"order": ["a", "b"], "tags": {f"r{i}": "a" if i < 15_000 else "b" for i in range(30_000)}}, file)
        commands = [["info", path], ["convert", path, out + ".fxj.gz"], ["convert", path, out + ".dot"],
                    ["convert", path, out + ".json"], ["convert", path, out + ".py"],
                    ["tag", path, "--stages", "3", "-o", out], ["check", path, "--tags", tags],
                    ["split", path, "--tags", tags, "-o", out],
                    ["regions", path, "-o", out], ["dedup", path, "-o", out], ["verify", path, path],
                    ["render", path, out + ".svg"]]
        for words in commands:
            least = least_to_draw if words[-1].endswith(".svg") else least_to_start
            for megabytes in range(least + 4, least + 200, 12):
                if os.path.exists(out):
                    os.remove(out)
                answer = run(cli, [*words, "--json"], megabytes)
                if answer.returncode == 0:
                    break
                short += 1
                said = answer.returncode == 3 and "memory" in answer.stdout and "error" in json.loads(answer.stdout)
                if not said or os.path.exists(out):
                    faults += 1
                    print(f"{' '.join(words)} with {megabytes} MB: {answer.returncode} {answer.stdout} {answer.stderr}")
    print(f"{short} commands ran out of memory, {faults} of them without a proper message")
    return 1 if faults or not short else 0


sys.exit(main())
