"""Static word embeddings from anywhere: load them, or convert them to stores that open at once.

e = load_embedding("minilm")     # or a registry key, a file, a store folder, "hf:<folder>", "hf:<model>@<commit>"
e["nurse"]; e.rows(["nurse", "engineer"]).vectors; e.pairs([("she", "he")]).female
"""

from lib.embeddings.embedding import Embedding
from lib.embeddings.load import convert, load_embedding, open_store, save_store

__all__ = ["Embedding", "convert", "load_embedding", "open_store", "save_store"]
