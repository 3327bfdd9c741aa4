"""fetch(): the cache, the mirror, the network, and everything that can go wrong between them."""

import errno
import hashlib
import re
import subprocess
import sys
import threading

import pytest

from lib.paths import DATA, ROOT, mirror_folder
from lib.profiles import data_keys
from lib.sources import FetchError, fetch, lookup
from lib.sources import registry as registry_module
from lib.sources.hub import PINNED
from lib.sources.registry import registry
from tests.support.downloads import at_hand

CONTENT = b"she 0.1 0.2\nhe 0.3 0.4\n"
DIGEST = "sha256:" + hashlib.sha256(CONTENT).hexdigest()
CLOSED = "http://127.0.0.1:9/pinned/file.txt"  # nothing listens on the discard port


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    """Try again at once."""
    monkeypatch.setattr("time.sleep", lambda seconds: None)


def served(server, register, content=CONTENT, **settings):
    """Put a file on the server and register it. Returns its place in a cache."""
    (server.folder / "file.txt").write_bytes(content)
    register(f"{server.url}/file.txt", CONTENT, **settings)
    return lookup("file").path


def test_every_registered_file_has_a_checkable_hash_a_license_and_a_description():
    for source in registry().values():
        assert source.license and source.description and source.bytes > 0


def test_profiles_name_registered_files_and_models_at_a_commit_only():
    for profile in (file.stem for file in (DATA / "profiles").glob("*.yml")):
        known = {*registry(), *(f"hub:{name}" for name in PINNED)}
        assert [
            key
            for key in data_keys(profile)
            if not re.fullmatch("hub:.*@[0-9a-f]{40}", key) and key not in known
        ] == []


@pytest.mark.sample("sweater_googlenews")
def test_mirrored_files_are_those_the_registry_pins():
    for key, source in registry().items():
        if at_hand(key):
            assert fetch(key).stat().st_size == source.bytes


@pytest.mark.parametrize(
    ("url", "path"),
    [
        (
            "https://raw.githubusercontent.com/owner/repo/0cac909ac2/data/my%20list.json",
            "owner/repo/data/my list.json",
        ),
        (
            "https://github.com/owner/repo/releases/download/tag/file.gz",
            "owner/repo/releases/download/tag/file.gz",
        ),
        ("https://example.org/a/b.txt", "example.org/a/b.txt"),
    ],
)
def test_the_tree_of_a_cache_is_that_of_the_raw_urls_without_commits(url, path):
    assert registry_module.Source("key", url, DIGEST, 1, "", "").path.as_posix() == path


def test_a_download_is_checked_and_kept(cache, server, register, tree):
    place = served(server, register)
    assert fetch("file").read_bytes() == CONTENT
    assert fetch("file") == cache / place
    assert server.asked == 1
    assert [name for name in tree(cache) if "part" in name] == []


def test_what_a_killed_download_left_goes_with_the_next(cache, server, register, tree):
    place = served(server, register)
    left = (cache / place).with_name(f".{place.stem}.01234567.part{place.suffix}")
    left.parent.mkdir(parents=True)
    left.write_bytes(CONTENT[:3])
    assert fetch("file").read_bytes() == CONTENT
    assert [path.name for path in (cache / place).parent.iterdir()] == [place.name]


def test_a_broken_answer_is_asked_for_again(cache, server, register, monkeypatch):
    served(server, register)
    server.broken = 2
    assert fetch("file").read_bytes() == CONTENT
    assert server.asked == 3


def test_a_mirrored_file_is_used_in_place(cache, server, register, tmp_path, monkeypatch, tree):
    place = tmp_path / "mirror" / served(server, register)
    place.parent.mkdir(parents=True)
    place.write_bytes(CONTENT)
    monkeypatch.setenv("BIASBOOK_MIRROR", str(tmp_path / "mirror"))
    assert fetch("file") == at_hand("file") == place
    assert server.asked == 0 and tree(cache) == {}


def test_a_relative_mirror_counts_from_the_root_of_the_checkout(monkeypatch):
    monkeypatch.setenv("BIASBOOK_MIRROR", "../mirror")
    assert mirror_folder() == ROOT / "../mirror"


def test_a_damaged_cached_file_is_replaced_with_a_warning(cache, server, register, caplog):
    place = cache / served(server, register)
    fetch("file")
    place.write_bytes(b"damaged")
    assert fetch("file").read_bytes() == CONTENT
    assert DIGEST in caplog.text and hashlib.sha256(b"damaged").hexdigest() in caplog.text


def test_two_processes_may_fetch_one_key_at_once(cache, server, register, tree):
    place = served(server, register)
    server.gather = threading.Barrier(2)  # no answer before both have asked
    code = "import sys; from pathlib import Path; from lib import sources; sources.registry.REGISTRY = Path(sys.argv[1])\n"
    code += "sys.stdout.write(str(sources.fetch('file')))"
    command = [sys.executable, "-c", code, str(registry_module.REGISTRY)]
    both = [
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    assert [process.communicate(timeout=30)[0] for process in both] == [str(cache / place)] * 2
    assert server.asked == 2
    assert [name for name, size in tree(cache).items() if size] == [place.as_posix()]


def no_network(cache, register, monkeypatch):
    register(CLOSED, CONTENT)


def no_network_and_a_damaged_file(cache, register, monkeypatch):
    register(CLOSED, CONTENT)
    place = cache / lookup("file").path
    place.parent.mkdir(parents=True)
    place.write_bytes(b"damaged")


def another_file_in_the_mirror(cache, register, monkeypatch):
    register(CLOSED, CONTENT)
    place = cache.parent / "mirror" / lookup("file").path
    place.parent.mkdir(parents=True)
    place.write_bytes(b"another")
    monkeypatch.setenv("BIASBOOK_MIRROR", str(cache.parent / "mirror"))


def a_full_disk(cache, register, monkeypatch):
    def full(self, url, output_file, pooch):
        raise OSError(errno.ENOSPC, "No space left on device")

    register(CLOSED, CONTENT)
    monkeypatch.setattr("pooch.HTTPDownloader.__call__", full)


def a_read_only_cache(cache, register, monkeypatch):
    def refused(*given, **settings):
        raise PermissionError(errno.EACCES, "Permission denied")

    register(CLOSED, CONTENT)
    monkeypatch.setattr("lib.files._empty_file", refused)


BAD_FETCHES = [
    (
        no_network,
        [
            "'file' (23 bytes",
            "profile sample",
            "BIASBOOK_MIRROR is not set",
            "make data PROFILE=sample",
            CLOSED,
        ],
    ),
    (
        no_network_and_a_damaged_file,
        ["damaged and is deleted", DIGEST, hashlib.sha256(b"damaged").hexdigest()],
    ),
    (
        another_file_in_the_mirror,
        [DIGEST, hashlib.sha256(b"another").hexdigest(), "left untouched"],
    ),
    (a_full_disk, ["the disk is full", "23 bytes", "BIASBOOK_CACHE"]),
    (
        a_read_only_cache,
        ["cannot be written (Permission denied)", "BIASBOOK_CACHE", "BIASBOOK_MIRROR"],
    ),
]


@pytest.mark.parametrize(
    ("prepare", "fragments"), BAD_FETCHES, ids=lambda value: getattr(value, "__name__", "")
)
def test_a_failed_fetch_says_why_and_what_to_do_and_leaves_nothing(
    prepare, fragments, cache, register, monkeypatch, tree
):
    prepare(cache, register, monkeypatch)
    mirrored = tree(cache.parent / "mirror")
    with pytest.raises(FetchError) as caught:
        fetch("file")
    assert [fragment for fragment in fragments if fragment not in str(caught.value)] == []
    assert [name for name, size in tree(cache).items() if size is not False] == []
    assert tree(cache.parent / "mirror") == mirrored


@pytest.mark.parametrize(
    ("content", "fragments"),
    [
        (CONTENT[:-5], [DIGEST, hashlib.sha256(CONTENT[:-5]).hexdigest(), "deleted", "18 bytes"]),
        (None, ["status 404", "could not be fetched"]),
    ],
    ids=["another file on the server", "no such file on the server"],
)
def test_a_wrong_download_is_refused_and_deleted(content, fragments, cache, server, register, tree):
    served(server, register, content or CONTENT)
    if content is None:
        (server.folder / "file.txt").unlink()
    with pytest.raises(FetchError) as caught:
        fetch("file")
    assert [fragment for fragment in fragments if fragment not in str(caught.value)] == []
    assert [name for name, size in tree(cache).items() if size is not False] == []


def test_an_unknown_key_gets_the_close_ones():
    with pytest.raises(ValueError, match="Did you mean 'sweater_googlenews'"):
        fetch("sweater_google_news")
    with pytest.raises(ValueError, match="The keys are sweater_googlenews, "):
        fetch("zzz")


ROW = {
    "key": "k",
    "url": "https://example.org/f",
    "hash": DIGEST,
    "bytes": "1",
    "license": "CC0",
    "description": "d",
}
BAD_ROWS = {
    "short hash": ([ROW | {"hash": "sha256:abc"}], "line 2: expected a hash like"),
    "no address": ([ROW | {"url": "ftp://example.org/f"}], "line 2: expected an http or https"),
    "climbing address": ([ROW | {"url": "https://a.org/../../f"}], "expected an http or https"),
    "bare comma": (
        [ROW | {"license": "MIT, of sorts"}],
        "line 2: expected 6 fields; quote a field",
    ),
    "a key twice": ([ROW, ROW], "line 3: the key 'k' appears a second time"),
}


@pytest.mark.parametrize(("rows", "message"), BAD_ROWS.values(), ids=BAD_ROWS)
def test_a_malformed_registry_names_the_line(rows, message, tmp_path):
    path = tmp_path / "registry.csv"
    lines = [registry_module.COLUMNS, *(row.values() for row in rows)]
    path.write_text("".join(",".join(line) + "\n" for line in lines))
    with pytest.raises(ValueError, match=message):
        registry(path)
