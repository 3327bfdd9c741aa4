"""Kernels that begin with their packages imported: a process that has imported what most chapters need forks one for each chapter.

To import seaborn and transformers takes longer than what some chapters compute, and a book has two dozen kernels. Linux only: on
other systems a fork does not go together with what these packages load. A chapter still imports its own modules of lib and studies.
"""

import ctypes
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import psutil
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

SHARED = ("pandas", "matplotlib.pyplot", "seaborn", "scipy.stats")
MODELS = (
    "torch",
    "transformers.models.auto.modeling_auto",
    "transformers.models.auto.tokenization_auto",
    "transformers.models.bert.modeling_bert",
)
_START = "import sys; from runner.nursery import serve; serve(int(sys.argv[1]), sys.argv[2:])"
_DEATH_OF_PARENT = 1  # PR_SET_PDEATHSIG of prctl(2)
_MESSAGE = 2**20  # bytes at most: an environment and a few paths
# What pyplot would draw with in a kernel, which says so before it imports anything.
_DRAWING = {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}


class ForkedKernel(psutil.Process):  # type: ignore[misc]
    """A kernel that is no child of this process, with what jupyter_client asks of one."""

    stdin = stdout = stderr = None

    def poll(self) -> int | None:
        """None while it runs; what it exited with is not known here."""
        try:
            return None if self.is_running() and self.status() != psutil.STATUS_ZOMBIE else 0
        except psutil.NoSuchProcess:
            return 0


class Nursery:
    """A process that forks kernels.

    Parameters
    ----------
    environment : Mapping of str to str
        Its variables; thread limits and the seed of hashes are those of all its kernels.
    modules : sequence of str
        What it imports.
    """

    def __init__(self, environment: Mapping[str, str], modules: Sequence[str] = SHARED):
        self._lock = threading.Lock()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _START, str(theirs.fileno()), *modules],
                env={**environment, **_DRAWING},
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )

    def kernel(
        self, arguments: Sequence[str], environment: Mapping[str, str], folder: str, printed: int
    ) -> ForkedKernel:
        """Fork a kernel, as soon as everything is imported.

        Parameters
        ----------
        arguments : sequence of str
            Of ipykernel.
        environment : Mapping of str to str
        folder : str
            In which it starts.
        printed : int
            File descriptor for what it prints outside its cells.

        Raises
        ------
        OSError
            Where the process is gone.
        """
        asked = json.dumps([[*arguments], dict(environment), folder]).encode()
        with self._lock:
            socket.send_fds(self._socket, [asked], [printed])
            answer = self._socket.recv(64)
        if not answer:
            raise ConnectionError("the process that forks kernels is gone")
        return ForkedKernel(int(answer))

    def close(self) -> None:
        """End it, and with it what it forked."""
        self._socket.close()
        self._process.kill()
        self._process.wait()


class Forked(LocalProvisioner):
    """How jupyter_client gets a kernel of a nursery; an ordinary one where the nursery is gone."""

    async def launch_kernel(self, cmd: list[str], **options: Any) -> Any:
        """Fork instead of starting an interpreter."""
        try:
            self.process = self.parent.nursery.kernel(  # type: ignore[union-attr]
                cmd[3:], options["env"], options.get("cwd") or ".", options["stdout"]
            )
        except OSError:
            return await super().launch_kernel(cmd, **options)
        self.pid = self.pgid = self.process.pid
        return self.connection_info


def serve(descriptor: int, modules: Sequence[str]) -> None:
    """Import modules, then fork a kernel for each message, until the other end is closed."""
    if sys.path[0] == "":
        del sys.path[0]
    import ipykernel.kernelapp  # noqa: F401  (what a kernel has before its first cell)

    from runner.watch import preload

    preload(modules)
    gc.freeze()  # no kernel looks for garbage among what all have
    with socket.socket(fileno=descriptor) as asking:
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system buries what ends
        while True:
            message, given, _, _ = socket.recv_fds(asking, _MESSAGE, 1)
            if not message:
                return
            parent = os.getpid()
            pid = os.fork()
            if not pid:
                _end_with(parent)
                asking.detach()
                os.close(descriptor)
                arguments, environment, folder = json.loads(message)
                _become_kernel(arguments, environment, folder, given[0])
            os.close(given[0])
            asking.send(str(pid).encode())


def _end_with(parent: int) -> None:
    """Have the system end this process when its parent ends, which it may have done since the fork."""
    ctypes.CDLL(None).prctl(_DEATH_OF_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _become_kernel(
    arguments: list[str], environment: dict[str, str], folder: str, printed: int
) -> None:
    from ipykernel.kernelapp import IPKernelApp

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    for stream in (sys.stdout.fileno(), sys.stderr.fileno()):
        os.dup2(printed, stream)
    os.close(printed)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    ended = 1
    try:
        IPKernelApp.launch_instance(argv=arguments)
        ended = 0
    finally:
        for written in (sys.stdout, sys.stderr):
            written.flush()
        os._exit(ended)
