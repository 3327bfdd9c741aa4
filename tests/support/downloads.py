"""Which registered files are at hand, without looking into them."""

from pathlib import Path

from lib.paths import cache_folder, mirror_folder
from lib.sources import lookup


def at_hand(key: str) -> Path | None:
    """The unchecked path of a file in the cache or the mirror, None when only the network has it."""
    folders = [folder for folder in (cache_folder(), mirror_folder()) if folder]
    paths = [folder / lookup(key).path for folder in folders]
    return next((path for path in paths if path.is_file()), None)
