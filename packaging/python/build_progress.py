"""Shows the progress of a build: build_progress.py LOG, with ninja's output on standard input (NINJA_STATUS "[%f/%t] ").

Writes all of the output to the log. On a terminal, updates one line; otherwise prints a line every 20 seconds.
"""
import re
import shutil
import sys
import time

STEP = re.compile(r"\[(\d+)/(\d+)\] (.*)")
EVERY_TERMINAL, EVERY_OTHERWISE = 0.2, 20.0


def duration(seconds):
    seconds = round(seconds)
    return f"{seconds // 60} min {seconds % 60:02} s" if seconds >= 60 else f"{seconds} s"


def subject(step):
    """Returns the target or file of a build step, such as "sunder-io: json_tape"."""
    words = step.split()
    path = words[-1] if words else ""
    match = re.search(r"CMakeFiles/([^/]+)\.dir/(\S+)", path)
    if not match:
        return path.rsplit("/", 1)[-1]
    name = re.sub(r"(\.(cpp|cxx|hxx))?\.(o|gch)$", "", match.group(2).rsplit("/", 1)[-1])
    return f"{match.group(1)}: {name}"


class Progress:
    def __init__(self, out):
        self.out, self.is_terminal = out, out.isatty()
        self.began = self.shown = time.monotonic()
        self.every = EVERY_TERMINAL if self.is_terminal else EVERY_OTHERWISE
        self.steps = 0
        self.failed = False

    def step(self, done, total, what):
        self.steps = total
        now = time.monotonic()
        if now - self.shown < self.every and done < total:
            return
        self.shown = now
        left = (now - self.began) / done * (total - done)
        text = f"  {done} of {total} steps, about {duration(left)} left: {subject(what)}"
        if self.is_terminal:
            width = shutil.get_terminal_size().columns - 1
            self.out.write("\r" + text[:width].ljust(width))
        elif done < total:
            self.out.write(text + "\n")
        self.out.flush()

    def end(self):
        if self.is_terminal and self.steps:
            self.out.write("\r" + " " * (shutil.get_terminal_size().columns - 1) + "\r")


def main():
    progress = Progress(sys.stdout)
    with open(sys.argv[1], "a", encoding="utf-8", errors="replace") as log:
        for line in sys.stdin:
            log.write(line)
            log.flush()
            progress.failed = progress.failed or line.startswith(("FAILED:", "ninja: error"))
            match = STEP.match(line)
            if match and int(match.group(1)) > 0:
                progress.step(int(match.group(1)), int(match.group(2)), match.group(3))
    progress.end()
    if not progress.failed:
        print(f"  done in {duration(time.monotonic() - progress.began)}"
              if progress.steps else "  nothing to do", flush=True)


if __name__ == "__main__":
    sys.stdin.reconfigure(errors="replace")
    main()
