"""Runs conform.py of ../shared, and compares graphs in this process instead of one for each: conforms.py ORACLE_FOLDER [ARGUMENT…]"""
import io
import sys

sys.path.insert(0, sys.argv.pop(1))
import compare  # noqa: E402
import conform  # noqa: E402


def same_graph(self, expected, actual, *flags):
    said = io.StringIO()
    try:
        status = compare.compare(str(expected), str(actual), sig="--sig" in flags, operands="--operands" in flags, out=said)
    except compare.Unreadable as error:
        raise conform.Mismatch(f"compare.py: {error}") from None
    if status != 0:
        raise conform.Mismatch(said.getvalue().strip()[:1500])


if __name__ == "__main__":
    conform.Runner.same_graph = same_graph
    sys.exit(conform.main())
