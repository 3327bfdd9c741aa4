"""One thread for what must come out the same on every machine."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_thread() -> Iterator[None]:
    """Sums in one order whatever the machine: on two threads a training ends elsewhere than on one, and no sooner.

    Examples
    --------
    >>> import torch
    >>> with one_thread():
    ...     torch.get_num_threads()
    1
    """
    import torch
    from threadpoolctl import threadpool_limits

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with threadpool_limits(1):  # NumPy's products, too
            yield
    finally:
        torch.set_num_threads(threads)
