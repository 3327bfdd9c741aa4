"""A sentence begins with a capital where a model knows capitals."""

from collections.abc import Iterable

from lib.language_models.masked import MaskedLanguageModel


def sentence_case(model: MaskedLanguageModel, templates: Iterable[str]) -> list[str]:
    """Templates as the model would meet them: with a capital first letter where it is cased.

    Parameters
    ----------
    model : MaskedLanguageModel
    templates : iterable of str
        Texts; one that opens with a slot or a mask stays as it is, and its target gets the capital when it is filled in.

    Returns
    -------
    list of str

    Examples
    --------
    >>> model = MaskedLanguageModel("minilm-mlm", device="cpu")
    >>> sentence_case(model, ["last year {target} was the {attribute}."])
    ['last year {target} was the {attribute}.']
    """
    if not model.cased:
        return list(templates)
    return [template[:1].upper() + template[1:] for template in templates]
