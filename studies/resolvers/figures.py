"""Names of the systems that are short enough for a picture on a phone."""

SHORT = {
    "Abzaliev: narrow head and features": "Abzaliev: features",
    "Alfaro: the pronoun as a gap": "Alfaro: gap",
    "Attree: evidence of three rules": "Attree: evidence",
    "Attree: tags around the mentions": "Attree: tags",
    "Bao: support vectors": "Bao: vectors",
    "Chada: a choice of three ends": "Chada: choice",
    "Chada: a question about the pronoun": "Chada: question",
    "Ionita: products and Siamese networks": "Ionita: products",
    "Kurita: one hidden layer": "Kurita: one layer",
    "Liu: one scorer for both names": "Liu: one scorer",
    "Liu: states side by side": "Liu: side by side",
    "Our own: attention and surface": "ours: attention",
    "Wang: similarity by layer": "Wang: similarity",
    "Xu: graph over a parse": "Xu: graph",
    "Yang: heads that compare": "Yang: comparing",
}
