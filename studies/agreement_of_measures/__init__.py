"""Do measures of one thing agree? Two halves of a text, and the released SEAT scores of Delobelle et al. (2022)."""
