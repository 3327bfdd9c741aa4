"""What all commands have in common: a signal or the disk ends them with one line, and nothing half-done is left."""

import functools
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import ParamSpec

Arguments = ParamSpec("Arguments")
_SIGNALS = (
    signal.SIGTERM,
    signal.SIGHUP,
)  # `kill`, time limits, container and service managers; a terminal that closes


DOOR = "bias-measured"  # the command that an installation has (`runner.door`)


def called(name: str) -> str:
    """How a command was called, for its help: by the installation's command, or by `python -m`.

    Examples
    --------
    >>> called("audit")
    'python -m lib.audit'
    """
    by_door = Path(sys.argv[0]).stem == DOOR
    return f"{DOOR} {name}" if by_door else f"python -m lib.{name}"


class Stopped(KeyboardInterrupt):
    """A signal asks for the end. Whatever cleans up after Ctrl-C cleans up after it too.

    Attributes
    ----------
    number : int
        Of the signal.
    """

    def __init__(self, number: int):
        super().__init__(number)
        self.number = number


def command(
    kept: str = "nothing half-written is left",
) -> Callable[[Callable[Arguments, int | None]], Callable[Arguments, int]]:
    """For the `main` of a command: SIGTERM and SIGHUP end it like Ctrl-C, with one line on stderr; so does a disk that is
    full or may not be written.

    Parameters
    ----------
    kept : str, optional
        What the line says of the work so far.

    Returns
    -------
    callable
        A decorator of `main`. The exit code is 128 and the number of the signal, or 1 where the disk is the reason.

    Examples
    --------
    >>> @command()
    ... def main() -> int:
    ...     raise Stopped(15)
    >>> main()
    143
    """

    def decorated(main: Callable[Arguments, int | None]) -> Callable[Arguments, int]:
        @functools.wraps(main)
        def run(*arguments: Arguments.args, **named: Arguments.kwargs) -> int:
            with _stopped_by_signals():
                try:
                    return main(*arguments, **named) or 0
                except KeyboardInterrupt as stop:
                    _say(f"stopped; {kept}")
                    return 128 + getattr(stop, "number", signal.SIGINT)
                except OSError as error:
                    if isinstance(error, BrokenPipeError) and _unread():
                        sys.stdout = None  # nothing is left to flush
                        return 128 + signal.SIGPIPE
                    from lib.files import WriteError, in_words

                    line = in_words(error)
                    if line == str(error) and not isinstance(error, WriteError):
                        raise
                    _say(line)
                    return 1

        return run

    return decorated


@contextmanager
def signals_wait() -> Iterator[None]:
    """What cannot be stopped half-way: a signal that comes meanwhile counts when it is over."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {
        number: signal.signal(number, lambda number, frame: came.append(number))
        for number in (*_SIGNALS, signal.SIGINT)
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, was in before.items():
            signal.signal(number, was)
    if came:
        signal.raise_signal(came[0])


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """Signals raise `Stopped`, the first one only: what cleans up is not stopped again."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        for other in before:
            signal.signal(other, signal.SIG_IGN)
        raise Stopped(number)

    before = {number: signal.getsignal(number) for number in _SIGNALS}
    before = {number: was for number, was in before.items() if was is not signal.SIG_IGN}  # nohup
    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, was in before.items():
            signal.signal(number, was)


def _unread() -> bool:
    """Whether nobody reads what is printed any more, as behind `| head`."""
    try:
        output = select.poll()
        output.register(sys.stdout.fileno(), 0)
        return any(event & select.POLLERR for _, event in output.poll(0))
    except (AttributeError, OSError, ValueError):  # no such call on Windows, no file behind it
        return False


def _say(line: str) -> None:
    with suppress(OSError):  # the terminal may be what went away
        sys.stderr.write(f"{line}\n")
