"""What a reader can try on a page without a kernel: a word, an association test, an index.

Python writes the numbers into a script beside the page, in whole-number codes; `_static/explorables`
computes from them in the browser what `lib` computes here.
"""

from lib.explorables.your_index import show_your_index, your_index
from lib.explorables.your_weat import show_your_weat, your_weat
from lib.explorables.your_word import show_your_word, your_word

__all__ = [
    "show_your_index",
    "show_your_weat",
    "show_your_word",
    "your_index",
    "your_weat",
    "your_word",
]
