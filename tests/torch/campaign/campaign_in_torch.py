"""Tests the verdicts of Sunder: `campaign_in_torch.py [--seed S] [--count N] [--cli PATH] [--keep FOLDER] [--most-undecided
SHARE] [--store FOLDER | --judge FOLDER]`

Makes pairs of programs, each a program of `programs.py` and a changed form of it (`changes.py`), runs both in PyTorch, and runs
`sunder-cli verify` in both directions. A pair differs if a run shows a difference. It is equal if its changes preserve meaning
and no run shows a difference. The following are wrong: a proof ("same") of a pair that differs; "same_up_to_rounding" if a run
shows more than rounding; "different" for an equal pair; and two verdicts that contradict each other. Prints the number of each
verdict, wrong verdicts, and reasons for undecided equal pairs. Exit 1 if any verdict is wrong, or if the share of undecided equal
pairs exceeds --most-undecided; 77 (skipped) without SUNDER_TORCH_PYTHON.
"""

import argparse
import collections
import contextlib
import itertools
import pathlib
import random
import signal
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parents[2] / "packaging" / "python")]

from torch_test import status_elsewhere  # noqa: E402

VERDICTS = ("same", "same_up_to_rounding", "different", "undecided", "error")


class Tally:
    """Counts of results by truth and verdict, and by cause."""

    def __init__(self):
        self.table, self.undecided, self.kinds = collections.Counter(), collections.Counter(), collections.Counter()
        self.examples, self.wrong, self.not_written = {}, [], collections.Counter()
        self.suspicious, self.broken = collections.Counter(), collections.Counter()

    def add(self, pair, number, first, second):
        """Counts a pair and its verdicts. Returns the kind of error, if any."""
        said = first["verdict"], second["verdict"]
        self.table[pair.truth, said[0]] += 1
        self.kinds.update(pair.kinds)
        if pair.preserves and pair.truth == "differ":
            self.broken[f"{pair.cause} ({pair.program} {number}): {pair.witness}"] += 1
        wrong = ""
        if pair.truth == "differ" and ("same" in said or ("same_up_to_rounding" in said and not pair.is_rounding)):
            wrong = "wrong proof"
        elif "different" in said and pair.truth == "equal":
            wrong = "wrong difference"
        elif said[0] != said[1]:
            wrong = "two verdicts"
        elif "error" in said:
            wrong = "error"
        if wrong:
            self.wrong.append((wrong, number, pair.program, pair.cause, pair.witness, said, first.get("why") or second.get("why", "")))
        if said[0] == "different" and pair.truth == "unknown":
            self.suspicious[pair.cause] += 1
        return wrong

    def equal(self):
        return sum(count for (truth, _), count in self.table.items() if truth == "equal")

    def share(self):
        """The share of equal pairs that are undecided."""
        return self.table["equal", "undecided"] / self.equal() if self.equal() else 0.0


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", help="sunder-cli, as tests name it")
    parser.add_argument("--cli", help="sunder-cli")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="number of the first pair")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for pairs with wrong verdicts, and one pair of each cause")
    parser.add_argument("--store", type=pathlib.Path, help="folder for the files of all pairs and their observations")
    parser.add_argument("--judge", type=pathlib.Path, help="verify stored pairs; make and run no new ones")
    parser.add_argument("--most-undecided", type=float, default=1.0)
    parser.add_argument("--drawn", type=int, default=8, help="number of programs of random calls")
    parser.add_argument("--programs", default="", help="names, separated by commas")
    parser.add_argument("--changes", default="", help="names, separated by commas")
    return parser.parse_args()


def main():
    status = status_elsewhere(sys.argv)
    if status is not None:
        return status
    import torch
    torch.set_num_threads(1)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # reports the results so far
    from pairs import Source, problems
    from verdicts import Verifier, found_cli
    given = arguments()
    source = Source(*(tuple(filter(None, words.split(","))) for words in (given.programs, given.changes)), given.drawn)
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="campaign-") as folder, contextlib.suppress(KeyboardInterrupt):
        verifier = Verifier(found_cli(given.cli or given.program), folder)
        if given.judge:
            judge(verifier, tally, given.judge)
        else:
            ask(source, verifier, tally, given)
    report(tally)
    for name, error in collections.Counter((name, repr(error)[:120]) for name, error in problems).most_common(20):
        print("a change raised:", name, error)
    return 1 if tally.wrong or tally.share() > given.most_undecided else 0


def ask(source, verifier, tally, given):
    """Makes the requested pairs and counts their verdicts. Prints errors at once."""
    from verdicts import NotWritten
    numbers = itertools.count(given.first)
    while sum(tally.table.values()) + sum(tally.not_written.values()) < given.count:
        number = next(numbers)
        pair = source.pair(given.seed, number)
        if pair is None:
            continue
        rng = random.Random(number)
        try:
            files = verifier.files(pair, as_pt2=rng.random() < 0.04)
        except NotWritten as refused:
            tally.not_written[f"{pair.cause}: {refused}"[:150]] += 1
            continue
        with_operators = rng.random() < 0.7
        if given.store:
            verifier.store(pair, number, files, with_operators, given.store / f"{given.seed}-{number}")
        said = verifier.verdicts(*files, with_operators=with_operators)
        wrong = tally.add(pair, number, *said)
        if wrong:
            print(f"{wrong}: pair {number} of seed {given.seed}: {tally.wrong[-1][2:]}", flush=True)
        note_undecided(tally, pair, number, said[0])
        doubtful = "different without a witness" if pair.truth == "unknown" and said[0]["verdict"] == "different" else ""
        if given.keep and (wrong or doubtful or is_new(tally, pair, said[0])):
            name = f"{wrong or doubtful or 'undecided'}-{given.seed}-{number}-{pair.program}-{pair.cause}".replace(" ", "_")
            verifier.keep(pair, said, given.keep / name)


def judge(verifier, tally, folder):
    """Counts the verdicts on stored pairs."""
    from verdicts import stored
    for pair, number, files, with_operators in stored(folder):
        said = verifier.verdicts(*files, with_operators=with_operators)
        if tally.add(pair, number, *said):
            print(f"{tally.wrong[-1][0]}: {files[0].parent.name}: {tally.wrong[-1][2:]}", flush=True)
        note_undecided(tally, pair, number, said[0])


def note_undecided(tally, pair, number, said):
    from verdicts import plain
    if pair.truth == "equal" and said["verdict"] == "undecided":
        cause = pair.cause, plain(said.get("why", ""))
        tally.undecided[cause] += 1
        tally.examples.setdefault(cause, (number, pair.program, said.get("why", "")))


def is_new(tally, pair, said):
    """Whether it is the first undecided pair with this single change."""
    return (pair.truth == "equal" and said["verdict"] == "undecided" and len(pair.kinds) == 1
            and sum(count for (cause, _), count in tally.undecided.items() if cause == pair.cause) == 1)


def report(tally):
    print(f"\n{'':10}" + "".join(f"{verdict:>20}" for verdict in VERDICTS))
    for truth in ("differ", "equal", "unknown"):
        print(f"{truth:10}" + "".join(f"{tally.table[truth, verdict]:20}" for verdict in VERDICTS))
    by_change = collections.Counter()
    for (cause, _), count in tally.undecided.items():
        by_change[cause] += count
    print(f"\n{tally.table['equal', 'undecided']} of {tally.equal()} equal pairs are undecided ({100 * tally.share():.1f} %), by change:")
    for cause, count in by_change.most_common(40):
        print(f"{count:6} {cause}")
    print("and by reason:")
    by_reason = collections.Counter()
    for (_, why), count in tally.undecided.items():
        by_reason[why] += count
    for why, count in by_reason.most_common(40):
        example = next(value for (_, reason), value in tally.examples.items() if reason == why)
        print(f"{count:6} {why}\n       such as pair {example[0]} ({example[1]})")
    for words, found in (("not written", tally.not_written), ("different without a witness", tally.suspicious),
                         ("does not preserve", tally.broken)):
        for what, count in found.most_common(15):
            print(f"{words}: {count} {what}")
    kinds = collections.Counter(wrong[0] for wrong in tally.wrong)
    print(f"\n{sum(tally.table.values())} pairs of {len(tally.kinds)} changes: {kinds['wrong proof']} wrong proofs, "
          f"{kinds['wrong difference']} wrong differences, {kinds['two verdicts']} contradictions, {kinds['error']} errors")


if __name__ == "__main__":
    sys.exit(main())
