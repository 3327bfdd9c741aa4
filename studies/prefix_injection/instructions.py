"""Who speaks, said in two places: a prefix in the text, or an instruction in the prompt."""

from collections.abc import Sequence

from lib.checks import one_of
from lib.translation.instructed import InstructedTranslator
from lib.translation.prefixes import PrefixedTranslations, translate_with_prefix

PLACES = ("text", "prompt")
# Speaker, by the names of `lib.translation.prefixes.SPEAKERS` -> the line before the prompt.
INSTRUCTIONS = {
    "none": "",
    "she": "The speaker is a woman.",
    "he": "The speaker is a man.",
    "someone": "The speaker is a person.",
}


def instruction_arms(
    translator: InstructedTranslator,
    sentences: Sequence[str],
    speakers: Sequence[str] = ("none", "she", "he", "someone"),
    *,
    language: str = "es",
) -> dict[tuple[str, str], PrefixedTranslations]:
    """The same sentences with the speaker as a prefix in the "text", and as a line in the "prompt": (place, speaker) ->
    translations. Two arms differ in the place alone: the prompt is the same otherwise. Without a speaker both are the same
    outputs; "someone" is the control that says no gender. Of the prompt arm nothing is taken off: its `given` is "" and its
    prefixes are None.
    """
    if not isinstance(translator, InstructedTranslator):
        raise ValueError(
            'expected a translator with a prompt, load_translator("instructed:…"), got '
            f"{type(translator).__name__}"
        )
    for speaker in speakers:
        one_of("speaker", speaker, INSTRUCTIONS)
    arms = {}
    for speaker in speakers:
        arms["text", speaker] = translate_with_prefix(
            translator, sentences, speaker, language=language
        )
        told = translator.instructed(INSTRUCTIONS[speaker])
        arms["prompt", speaker] = translate_with_prefix(told, sentences, language=language)
    return arms
