"""A warm process that forks a child for every command line and makes the system fail in it (POSIX only).

Reads one JSON object a line and answers with one. A child is the whole program, from the arguments to the exit
code; it only begins where everything is imported and compiled. Every change below the run's folder is a numbered
operation: files opened for writing, pieces written, synced, renamed, cut, removed, folders made. At a chosen one
the process kills itself, or the disk is full, or nothing can be written any more.
"""

import contextlib
import errno
import gc
import io
import json
import os
import resource
import shutil
import signal
import stat
import sys
import tempfile
import time
from pathlib import Path

NOBODY = 65534
HANG_SECONDS = 300
CHANGES = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.truncate"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def step(what):
    """Called before every operation; the faults of a child replace it."""


class File(io.FileIO):
    """Takes every piece in two bites, so that it can be torn."""

    torn = False

    def write(self, data):
        step(f"write {Path(self.name).name}")
        self.torn = not self.torn and len(data) > 1
        return super().write(data[: len(data) // 2] if self.torn else data)

    def truncate(self, size=None):
        step(f"cut {Path(self.name).name}")
        return super().truncate(size)


def sync(file):
    """What was written survives the end of a process without it; only a power cut would tell."""
    step(f"sync {Path(file.name).name if hasattr(file, 'name') else 'folder'}")


class Faults:
    """Numbers the operations of a child and does at one of them as asked."""

    def __init__(self, folder, log, kind, at):
        self.folder, self.log, self.kind, self.at = str(folder), log, kind, at
        self.count, self.busy = -1, False

    def install(self):
        global step
        step = self.step
        sys.addaudithook(self.hear)

    def hear(self, event, arguments):
        if event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING:
            self.step_at("open", arguments[0], -1)
        elif event in CHANGES:
            self.step_at(event.removeprefix("os."), arguments[0], arguments[-1])

    def step_at(self, what, path, at):
        if isinstance(path, str | bytes | os.PathLike):
            path = os.fsdecode(path)
            inside = path.startswith(self.folder) or (
                not path.startswith("/") and isinstance(at, int) and at >= 0
            )
            if inside and not path.endswith((".lock", ".writable")):
                self.step(f"{what} {Path(path).name}")

    def step(self, what):
        if self.busy:
            return
        self.count += 1
        os.write(self.log, f"{what}\n".encode())
        if self.count >= self.at:
            getattr(self, self.kind)(what)

    def kill(self, what):
        os.kill(os.getpid(), signal.SIGKILL)

    def full(self, what):
        if what.startswith(("write", "mkdir")):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def once(self, what):
        if self.count == self.at:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def read_only(self, what):
        if not what.startswith(("write", "sync", "cut")):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    def forbid(self, what):
        """Take away the right to write into the folders, once."""
        if self.count == self.at:
            self.busy = True
            for path in (Path(self.folder), *Path(self.folder).rglob("*")):
                if path.is_dir():
                    path.chmod(stat.S_IRUSR | stat.S_IXUSR)
            self.busy = False

    def vanish(self, what):
        """Somebody deletes the folder, once."""
        if self.count == self.at:
            self.busy = True
            shutil.rmtree(self.folder)
            self.busy = False


def count_kept(file):
    """Write a line a unit into a file once the journal has promised to keep it."""
    append = Journal.append

    def counting(self, start, stop, arrays):
        append(self, start, stop, arrays)
        os.write(file, b"\n" * (stop - start))

    Journal.append = counting


def child(request, log, kept):
    """Carry out one command line under the fault and end the process."""
    signal.alarm(HANG_SECONDS)
    if "limit" in request:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (request["limit"],) * 2)
    os.chdir(request.get("directory", os.getcwd()))
    if request.get("kind") == "forbid" and os.getuid() == 0:  # who may do everything is forbidden nothing
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    count_kept(kept)
    if "kind" in request or request.get("count"):
        Faults(request["folder"], log, request.get("kind"), request.get("at", sys.maxsize)).install()
    code = None
    try:
        main(request["arguments"])
    except SystemExit as ended:
        code = ended.code
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(99 if code is None else code)


def answer(request):
    """Fork, wait, and say what became of the child."""
    with contextlib.ExitStack() as open_files:
        out, err, log, kept = (open_files.enter_context(tempfile.TemporaryFile()) for _ in range(4))
        pid = os.fork()
        if pid == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            child(request, log.fileno(), kept.fileno())
        if "kill_after" in request:
            time.sleep(request["kill_after"])
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        texts = []
        for file in (out, err, log, kept):
            file.seek(0)
            texts.append(file.read().decode())
    return {
        "code": os.waitstatus_to_exitcode(status),
        "out": texts[0],
        "err": texts[1],
        "operations": texts[2].splitlines(),
        "kept": len(texts[3]),
    }


def serve(warm_up):
    """Carry out a command line here, so that children find everything ready; then answer requests."""
    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())):
        assert run(warm_up) == 0
    gc.disable()  # a child that looks through everything copies everything
    gc.freeze()
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    io.FileIO, os.fsync = File, sync  # before anything takes the real ones
    from bridzik_sim import journal, runner
    from bridzik_sim.journal import Journal
    from cli.main import main, run
    from reports import figures, html

    journal.MAX_RECORDS, runner.MAX_CHUNK, runner.MAX_CHUNK_ROWS = 4, 1, 1
    figures.draw = lambda results: {name: name.encode() * 99 for name in ("leaderboard", "wins", "scores")}
    html.page = lambda *results, **settings: "page" * 99
    serve(sys.argv[1:])
