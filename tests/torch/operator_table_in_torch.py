"""Is the table of operators what PyTorch registers? `operator_table_in_torch.py`

Makes core/operators/data/torch_operators.txt again and compares. Exit 77 (skipped) without SUNDER_TORCH_PYTHON.
"""

import difflib
import pathlib
import sys

import torch_test

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    sys.path.insert(0, str(ROOT / "packaging" / "python"))
    import operator_table
    written = (operator_table.DATA / "torch_operators.txt").read_text().splitlines()
    made = operator_table.text().splitlines()
    differences = list(difflib.unified_diff(written, made, "in the repository", "from PyTorch", n=0, lineterm=""))
    for line in differences[:40]:
        print(line)
    kept = sum(not line.startswith("#") for line in made)
    dropped = [line for line in (operator_table.DATA / "dropped_operators.txt").read_text().splitlines()
               if not line.startswith("#")]
    registered = {line.split("(")[0] for line in made}
    again = [line for line in dropped if line.split("(")[0] in registered]
    print(f"{kept} overloads, {len(differences)} lines differ; {len(dropped)} of older versions, {len(again)} not dropped")
    return 1 if differences or again else 0


if __name__ == "__main__":
    elsewhere = torch_test.status_elsewhere(sys.argv)
    sys.exit(main() if elsewhere is None else elsewhere)
