"""Rules for tests and for the examples of docstrings: no clock, no downloads unless marked; and what examples need."""

import os
import shutil
import signal
import tempfile
from collections import Counter
from pathlib import Path

# A worker a core: more threads would only wait for one another.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import HealthCheck, settings

from lib.paths import mirror_folder
from tests.support.downloads import at_hand


def pytest_addoption(parser):
    parser.addoption(
        "--cpu",
        action="store_true",
        help="say at the end how many CPU seconds the tests of each folder took, with what they started",
    )
    parser.addoption(
        "--strict-results",
        action="store_true",
        help="fail where a chapter was not run, as with CI=true; else its tests are skipped",
    )


# No test is judged by the clock. In CI the examples are the same in each run.
settings.register_profile(
    "book",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=os.environ.get("CI") == "true",
)
settings.load_profile("book")

# Started in the background or under nohup, a process ignores Ctrl-C or the end of its terminal, and so would all commands that tests
# start and stop.
for number, handler in (
    (signal.SIGINT, signal.default_int_handler),
    (signal.SIGHUP, signal.SIG_DFL),
):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, handler)

DOWNLOADS = {name: os.environ.get(name) for name in ("BIASBOOK_MIRROR", "BIASBOOK_CACHE")}


def pytest_configure(config):
    if config.getoption("--strict-results"):
        os.environ["CI"] = "true"
    if not hasattr(config, "workerinput"):  # the workers of pytest-xdist share the folder
        os.environ["BIASBOOK_TESTS_CACHE"] = tempfile.mkdtemp(prefix="biasbook-tests-")


def pytest_unconfigure(config):
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ["BIASBOOK_TESTS_CACHE"], ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Only tests marked `sample` or `site` see mirror and cache: all others pass on a machine without either.

    `@pytest.mark.sample("key", …)`: skip where neither the cache nor the mirror holds the files of the keys.
    """
    downloads = any(item.get_closest_marker(name) for name in ("sample", "site"))
    seen = DOWNLOADS if downloads else {"BIASBOOK_CACHE": os.environ["BIASBOOK_TESTS_CACHE"]}
    for name in DOWNLOADS:
        os.environ.pop(name, None)
    os.environ.update({name: value for name, value in seen.items() if value})
    mark = item.get_closest_marker("sample")
    missing = [key for key in mark.args if not at_hand(key)] if mark else []
    if missing or (mark and not mark.args and not mirror_folder()):
        pytest.skip(
            f"needs {', '.join(missing) or 'a mirror'}: set BIASBOOK_MIRROR, or run `make data PROFILE=sample`"
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Note what a test takes, with the processes that it waited for."""
    item.cpu_before = sum(os.times()[:4])
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.when == "teardown":
        report.cpu_seconds = sum(os.times()[:4]) - item.cpu_before
    return report


def pytest_terminal_summary(terminalreporter, config):
    if not config.getoption("--cpu"):
        return
    of_folder = Counter()
    for report in (one for kind in terminalreporter.stats.values() for one in kind):
        if seconds := getattr(report, "cpu_seconds", 0.0):
            of_folder["/".join(Path(report.nodeid.partition("::")[0]).parts[:-1][:3])] += seconds
    terminalreporter.section("CPU seconds by folder")
    for folder, seconds in of_folder.most_common():
        terminalreporter.write_line(f"{seconds:8.1f}  {folder}")
    terminalreporter.write_line(f"{of_folder.total():8.1f}  all")


@pytest.fixture(scope="session")
def tiny_causal_model(tmp_path_factory):
    """The folder of a causal model of some words, with random weights."""
    from tests.support.tiny_models import build_causal

    return build_causal(tmp_path_factory.mktemp("tiny") / "causal")


@pytest.fixture(scope="session")
def tiny_gguf(tmp_path_factory):
    """A GGUF file of a causal model of some words, with random weights."""
    from tests.support.tiny_gguf import write_gguf

    return write_gguf(tmp_path_factory.mktemp("tiny") / "tiny.gguf", "llama", "Q8_0")
