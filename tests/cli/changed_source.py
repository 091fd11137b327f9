"""Checks changes of the model file while sunder-cli runs: if it is overwritten, no parts are written; if another file replaces it,
the parts are those of the model that was read. Tags from a pipe hold the command between reading and writing.

usage: changed_source.py SUNDER_CLI
"""
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

SAMPLES = os.path.join(os.path.dirname(__file__), "../../resources/samples")


def with_other_weights(source, target):
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = bytearray(old.read(name))
            if "/weight_" in name:
                data[0] ^= 1
            new.writestr(name, bytes(data))


def split_while(cli, folder, change):
    """Splits a model and calls change(model) after the model has been read. Returns the process."""
    model, pipe = os.path.join(folder, "model.pt2"), os.path.join(folder, "tags")
    shutil.copy(os.path.join(SAMPLES, "residual_cnn.pt2"), model)
    os.mkfifo(pipe)
    command = [cli, "split", model, "--tags", pipe, "--parts", os.path.join(folder, "parts"),
               "-o", os.path.join(folder, "out.fxj")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with open(pipe, "w") as tags:  # opens when the command reads the tags, after the model
        change(model)
        with open(os.path.join(SAMPLES, "residual_cnn.tags.json")) as given:
            tags.write(given.read())
    process.out, process.err = process.communicate(timeout=60)
    return process


def overwrite(model):
    with_other_weights(model, model + ".new")
    with open(model + ".new", "rb") as new, open(model, "wb") as old:
        shutil.copyfileobj(new, old)


def replace(model):
    with_other_weights(model, model + ".new")
    os.replace(model + ".new", model)


def weights_of(path):
    with zipfile.ZipFile(path) as archive:
        return {archive.read(name) for name in archive.namelist() if "/weight_" in name}


def main():
    cli = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        done = split_while(cli, folder, overwrite)
        assert done.returncode == 3, (done.returncode, done.err)
        assert "has changed since it was read" in done.err, done.err
        assert not os.path.exists(os.path.join(folder, "parts"))
    with tempfile.TemporaryDirectory() as folder:
        done = split_while(cli, folder, replace)
        assert done.returncode == 0, (done.returncode, done.err)
        parts = os.path.join(folder, "parts")
        with open(os.path.join(parts, "manifest.json")) as file:
            manifest = json.load(file)
        sample = os.path.join(SAMPLES, "residual_cnn.pt2")
        with open(sample, "rb") as file:
            assert manifest["source"]["sha256"] == hashlib.sha256(file.read()).hexdigest()
        for part in manifest["parts"]:
            with open(os.path.join(parts, part["file"]), "rb") as file:
                assert part["sha256"] == hashlib.sha256(file.read()).hexdigest(), part["name"]
            assert weights_of(os.path.join(parts, part["file"])) <= weights_of(sample), part["name"]


if __name__ == "__main__":
    main()
