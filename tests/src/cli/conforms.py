"""Runs conform.py of ../shared, and compares graphs in this process instead of one for each: conforms.py ORACLE_FOLDER [ARGUMENT…]"""
import contextlib
import io
import sys

sys.path.insert(0, sys.argv.pop(1))
import compare  # noqa: E402
import conform  # noqa: E402


def same_graph(self, expected, actual, *flags):
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        status = compare.main([*flags, str(expected), str(actual)])
    if status != 0:
        raise conform.Mismatch(said.getvalue().strip()[:1500])


if __name__ == "__main__":
    conform.Runner.same_graph = same_graph
    sys.exit(conform.main())
