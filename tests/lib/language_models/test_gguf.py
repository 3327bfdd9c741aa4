"""Headers of GGUF files: what they say, and that every cut, damaged or hostile one is refused in words."""

import struct

import pytest

from audit.vectors import load_vectors
from lib.language_models.gguf import is_gguf, read_header
from tests.support.mutations import not_worded


@pytest.fixture
def file(tiny_gguf, tmp_path):
    """A copy of a whole file."""
    path = tmp_path / "copy.gguf"
    path.write_bytes(tiny_gguf.read_bytes())
    return path


def text(content: str | bytes) -> bytes:
    """A text as GGUF has it, behind its length."""
    content = content.encode() if isinstance(content, str) else content
    return struct.pack("<Q", len(content)) + content


def setting(key: str, value: str | int | list) -> bytes:
    """A setting: text, a number of 32 bits, or a list of texts."""
    if isinstance(value, str):
        return text(key) + struct.pack("<I", 8) + text(value)
    if isinstance(value, list):
        return text(key) + struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(text, value))
    return text(key) + struct.pack("<Ii", 5, value)


def tensor(name: str, *shape: int, kind: int = 0, offset: int = 0) -> bytes:
    """A line of the table of weights; kind 0 is F32, 8 is Q8_0."""
    sizes = struct.pack(f"<I{len(shape)}Q", len(shape), *shape)
    return text(name) + sizes + struct.pack("<IQ", kind, offset)


LLAMA = [
    setting("general.architecture", "llama"),
    setting("llama.block_count", 1),
    setting("tokenizer.ggml.tokens", ["a", "b"]),
]


ROWS = tensor("token_embd.weight", 8, 2)


def whole(settings=LLAMA, tensors=(ROWS,), counts=None, version=3):
    """A file whose weights are zeros."""
    begin = struct.pack("<4sIQQ", b"GGUF", version, *(counts or (len(tensors), len(settings))))
    head = begin + b"".join(settings) + b"".join(tensors)
    return head + bytes(-len(head) % 32 + 64)


HOSTILE = {
    "empty": (b"", ["got 0 bytes"]),
    "another file": (b"PK\x03\x04" + bytes(99), ["which begins with GGUF"]),
    "version 1": (whole(version=1), ["version 2 or 3", "got 1"]),
    "of a big-endian machine": (whole(version=3 << 24), ["little-endian", "got 50331648"]),
    "settings without end": (whole(counts=(1, 2**63)), ["damaged"]),
    "weights without end": (whole(counts=(2**63, 3)), ["damaged"]),
    "a text longer than the file": (
        whole([text("a.b") + struct.pack("<IQ", 8, 2**60)]),
        ["cut or damaged", "1,152,921,504,606,846,976 bytes"],
    ),
    "a list longer than the file": (
        whole([text("a.b") + struct.pack("<IIQ", 9, 10, 2**61)]),
        ["cut or damaged"],
    ),
    "a list of lists": (whole([text("a.b") + struct.pack("<IIQ", 9, 9, 2**61)]), ["a.b", "type 9"]),
    "an unknown type": (whole([text("a.b") + struct.pack("<I", 77)]), ["a.b", "type 77"]),
    "a name without end": (whole([struct.pack("<Q", 10**6) + bytes(10)]), ["65,535 letters"]),
    "a name that is none": (whole([text("a b\n") + bytes(9)]), ["the name of a setting"]),
    "no text": (whole([text("a.b") + struct.pack("<I", 8) + text(b"\xff\xfe")]), ["UTF-8"]),
    "a setting twice": (whole([LLAMA[0], LLAMA[0]]), ["'general.architecture' twice"]),
    "weights twice": (whole(tensors=[tensor("token_embd.weight", 8, 2)] * 2), ["twice"]),
    "dimensions without end": (
        whole(tensors=[text("a") + struct.pack("<I", 2**31) + bytes(64)]),
        ["1 to 4 dimensions, got 2,147,483,648"],
    ),
    "weights of no size": (whole(tensors=[tensor("a", 0, 2)]), ["whole blocks", "0 × 2"]),
    "half a block": (whole(tensors=[tensor("a", 33, 2, kind=8)]), ["whole blocks of 32"]),
    "an unknown quantisation": (whole(tensors=[tensor("a", 32, kind=999)]), ["number 999"]),
    "weights beyond the file": (
        whole(tensors=[tensor("token_embd.weight", 2**40, 2**20)]),
        ["cut or damaged: token_embd.weight (F32, 1,099,511,627,776 × 1,048,576)"],
    ),
    "weights far behind": (
        whole(tensors=[tensor("token_embd.weight", 8, 2, offset=2**62)]),
        ["cut or damaged: token_embd.weight"],
    ),
    "the same bytes for many": (
        whole(tensors=[tensor(f"blk.{i}.w", 8, 2) for i in range(3)]),
        ["blk.1.w within blk.0.w"],
    ),
    "an alignment of nothing": (whole([*LLAMA, setting("general.alignment", 0)]), ["got 0"]),
    "no architecture": (whole(LLAMA[1:]), ["general.architecture"]),
    "an architecture that is a path": (
        whole([setting("general.architecture", "../../x"), *LLAMA[1:]]),
        ["general.architecture, got '../../x'"],
    ),
    "an adapter": (
        whole([*LLAMA, setting("general.type", "adapter")]),
        ["a whole model", "adapter"],
    ),
    "one part of three": (whole([*LLAMA, setting("split.count", 3)]), ["a part of 3", "--merge"]),
    "layers without end": (
        whole([LLAMA[0], setting("llama.block_count", 10**6), LLAMA[2]]),
        ["no more layers than weights (1)", "1000000"],
    ),
    "heads without end": (
        whole([*LLAMA, setting("llama.attention.head_count", 2**31 - 1)]),
        ["llama.attention.head_count", "2,147,483,647"],
    ),
    "stretched positions": (
        whole([*LLAMA, setting("llama.rope.scaling.type", "yarn")]),
        ["stretches its positions", "yarn"],
    ),
    "no pieces": (whole(LLAMA[:2]), ["tokenizer.ggml.tokens"]),
    "no rows for pieces": (whole(tensors=[tensor("output.weight", 8, 2)]), ["token_embd.weight"]),
    "more pieces than rows": (
        whole([*LLAMA[:2], setting("tokenizer.ggml.tokens", ["a", "b", "c"])]),
        ["3 pieces, 2 rows"],
    ),
    "a start that is no piece": (
        whole([*LLAMA, setting("tokenizer.ggml.bos_token_id", 2)]),
        ["bos_token_id", "one of 2 pieces, got 2"],
    ),
    "merges that are none": (
        whole([*LLAMA, setting("tokenizer.ggml.merges", ["ab"])]),
        ["tokenizer.ggml.merges", "a space between"],
    ),
}


def test_a_header_says_what_was_written(tiny_gguf):
    header = read_header(tiny_gguf)
    assert (header.architecture, header.quantisation, header.base) == ("llama", "Q8_0", "Tiny")
    assert header.said["llama.block_count"] == 1
    assert len(header.said["tokenizer.ggml.tokens"]) == header.tensors["output.weight"].shape[1]


def test_a_file_is_known_by_its_first_bytes_and_not_by_its_name(file, tmp_path):
    blob = file.rename(tmp_path / "sha256-0123")
    assert is_gguf(blob) and is_gguf(str(blob))
    (tmp_path / "not.gguf").write_text("words")
    assert not is_gguf(tmp_path / "not.gguf")
    assert not is_gguf(tmp_path) and not is_gguf(tmp_path / "none")


def test_the_kind_of_most_weights_is_named_where_the_file_names_none(file):
    file.write_bytes(file.read_bytes().replace(b"general.file_type", b"general.file_typo"))
    assert read_header(file).quantisation == "Q8_0"


@pytest.mark.parametrize(("content", "fragments"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_refused_by_name(content, fragments, file, refuses):
    file.write_bytes(content)
    refuses(lambda: read_header(file), [str(file), *fragments])


def test_a_file_that_is_cut_anywhere_is_refused(file):
    data = file.read_bytes()
    for length in range(0, len(data) - 64, len(data) // 50):
        file.write_bytes(data[:length])
        with pytest.raises(ValueError, match=r"copy\.gguf: .*(cut|got \d+ bytes)"):
            read_header(file)


def test_a_damaged_file_is_read_or_refused_in_words(file):
    assert not_worded(read_header, file) == []
    # and where most bytes are settings
    file.write_bytes(whole())
    assert not_worded(read_header, file) == []


def test_an_audit_of_vectors_reads_the_rows_of_whole_words(file):
    space = load_vectors(str(file))
    assert len(space) > 5 and space.source.startswith("copy.gguf@sha256:")
    assert all(word.isalpha() for word in space.words) and space.vectors.std() > 0
