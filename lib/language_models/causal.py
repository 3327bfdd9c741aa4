"""Causal language models that answer a prompt, greedily, each prompt as if it were alone."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from lib.files import text_hash
from lib.language_models.batching import batched
from lib.language_models.pretrained import Transformer


def chat_mark(transformer: Transformer) -> str:
    """How prompts are put to a model: "chat" and the hash of its template, or "plain"."""
    template = getattr(transformer.tokenizer, "chat_template", None)
    return f"chat {text_hash(str(template))[:12]}" if template else "plain"


def prompt_pieces(transformer: Transformer, prompts: Sequence[str]) -> list[list[int]]:
    """Prompts as ids of pieces; as the message of a user where the tokenizer has a chat template."""
    tokenizer = transformer.tokenizer
    if not getattr(tokenizer, "chat_template", None):
        return [tokenizer(prompt, verbose=False)["input_ids"] for prompt in prompts]
    messages = [
        tokenizer.apply_chat_template(
            [{"role": "user", "content": prompt}], tokenize=False, add_generation_prompt=True
        )
        for prompt in prompts
    ]
    # the template has written the special pieces
    return [
        tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"] for text in messages
    ]


def answers(transformer: Transformer, prompts: Sequence[str], longest: Sequence[int]) -> list[str]:
    """What a model writes after each prompt, the likeliest piece each time.

    Prompts of the same number of pieces are answered together, so that nothing is padded.

    Parameters
    ----------
    transformer : Transformer
        As of `lib.language_models.pretrained.load_causal`.
    prompts : sequence of str
        n prompts.
    longest : sequence of int
        The most pieces of each answer; less where the model can read no more.

    Returns
    -------
    list of str
        n answers, as written, without special pieces.

    Raises
    ------
    ValueError
        For a prompt that leaves no room for an answer.
    """
    import torch

    rows = prompt_pieces(transformer, prompts)
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for place, (row, most) in enumerate(zip(rows, longest, strict=True)):
        room = transformer.longest - len(row)
        if room < 1:
            raise ValueError(
                f"a prompt of {len(row)} pieces leaves no room for an answer within the "
                f"{transformer.longest} that {transformer.name} reads: …{prompts[place][-60:]!r}; "
                "split the sentence or shorten the prompt"
            )
        groups[len(row), min(most, room)].append(place)
    outputs = [""] * len(rows)
    with torch.inference_mode():
        for (length, most), places in sorted(groups.items()):
            for indices, ids, real in batched(transformer, [rows[place] for place in places]):
                coded = _greedy(transformer, ids, real, most)[:, length:]
                texts = transformer.tokenizer.batch_decode(coded, skip_special_tokens=True)
                for index, text in zip(indices, texts):
                    outputs[places[index]] = text
    return outputs


def _greedy(transformer: Transformer, ids: Any, real: Any, most: int) -> Any:
    """Greedy whatever the model's own settings say: no sampling, no penalties; its own ends."""
    from transformers import GenerationConfig

    model, tokenizer = transformer.model, transformer.tokenizer
    ends = model.generation_config.eos_token_id
    ends = tokenizer.eos_token_id if ends is None else ends
    padding = tokenizer.pad_token_id
    if padding is None:
        padding = ends[0] if isinstance(ends, list) else ends
    settings = GenerationConfig(
        do_sample=False,
        num_beams=1,
        max_new_tokens=most,
        repetition_penalty=1.0,
        eos_token_id=ends,
        pad_token_id=0 if padding is None else padding,
    )
    own, model.generation_config = model.generation_config, settings
    try:
        return model.generate(input_ids=ids, attention_mask=real)
    finally:
        model.generation_config = own
