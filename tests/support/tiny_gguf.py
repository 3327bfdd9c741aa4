"""GGUF files of some kilobytes with random weights, written as llama.cpp's converter writes them, and the models they are of."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tests.support.tiny_models import WORDS, byte_level_pieces

# What llama.cpp calls the weights of these models.
_NAMES = {
    "model.embed_tokens": "token_embd",
    "model.norm": "output_norm",
    "lm_head": "output",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
HEADS, GROUPS = 4, 2
CHAT = "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}{% endfor %}"
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]


def tiny_decoder(architecture: str, seed: int = 0) -> Any:
    """A model of transformers with one layer and random weights: "llama" or "qwen2"."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM, Qwen2Config, Qwen2ForCausalLM

    kinds = {"llama": (LlamaConfig, LlamaForCausalLM), "qwen2": (Qwen2Config, Qwen2ForCausalLM)}
    settings, kind = kinds[architecture]
    torch.manual_seed(seed)
    pieces, _ = byte_level_pieces(WORDS, SPECIAL)
    config = settings(
        vocab_size=len(pieces),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=HEADS,
        num_key_value_heads=GROUPS,
        max_position_embeddings=64,
        rope_theta=10000.0,
        tie_word_embeddings=architecture == "qwen2",
        bos_token_id=1,
        eos_token_id=2,
    )
    model = kind(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model


def write_gguf(
    path: Path,
    architecture: str,
    quantisation: str,
    *,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    leave_out: tuple[str, ...] = (),
    add: Mapping[str, np.ndarray] | None = None,
) -> Path:
    """Write a decoder in a quantisation (F32, F16, Q8_0, Q4_0, …), with settings of one's own, without some weights, or with more."""
    from gguf import GGMLQuantizationType, GGUFWriter, LlamaFileType, quantize

    model = tiny_decoder(architecture, seed)
    pieces, merges = byte_level_pieces(WORDS, SPECIAL)
    writer = GGUFWriter(path, architecture)
    writer.add_name("Tiny")
    file_type = "ALL_F32" if quantisation == "F32" else f"MOSTLY_{quantisation}"
    writer.add_file_type(LlamaFileType[file_type])
    config = model.config
    said = {
        "block_count": config.num_hidden_layers,
        "context_length": config.max_position_embeddings,
        "embedding_length": config.hidden_size,
        "feed_forward_length": config.intermediate_size,
        "attention.head_count": HEADS,
        "attention.head_count_kv": GROUPS,
        "vocab_size": len(pieces),
        "rope.dimension_count": config.hidden_size // HEADS,
    } | dict(settings or {})
    writer.add_float32(f"{architecture}.rope.freq_base", 10000.0)
    writer.add_float32(f"{architecture}.attention.layer_norm_rms_epsilon", config.rms_norm_eps)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(pieces)
    writer.add_token_types([3 if piece in SPECIAL else 1 for piece in pieces])
    writer.add_token_merges([" ".join(pair) for pair in merges])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_chat_template(CHAT)
    for name, value in said.items():
        key = name if name.startswith(("general.", "tokenizer.")) else f"{architecture}.{name}"
        (writer.add_string if isinstance(value, str) else writer.add_uint32)(key, value)
    held = {name: one for name, one in _weights(model, architecture) if name not in leave_out}
    for name, weights in (held | dict(add or {})).items():
        kind = GGMLQuantizationType[quantisation if weights.ndim > 1 else "F32"]
        writer.add_tensor(name, quantize(weights, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _weights(model: Any, architecture: str):
    """Weights by the names of llama.cpp, rows of Llama's rotated heads in its order."""
    tied = model.config.tie_word_embeddings
    for name, parameter in model.state_dict().items():
        if tied and name == "lm_head.weight":
            continue
        stem, _, ending = name.rpartition(".")
        block, _, inner = stem.removeprefix("model.layers.").partition(".")
        in_layer = stem.startswith("model.layers.")
        known = f"blk.{block}.{_NAMES[inner]}" if in_layer else _NAMES[stem]
        weights = parameter.numpy().copy()
        heads = {"attn_q": HEADS, "attn_k": GROUPS}.get(known.rpartition(".")[2])
        if architecture == "llama" and heads:
            shape = weights.shape
            weights = weights.reshape(heads, 2, shape[0] // heads // 2, *shape[1:])
            weights = weights.swapaxes(1, 2).reshape(shape)
        yield f"{known}.{ending}", weights
