"""All papers of the book: which printed numbers come out, and which of their sentences follow from them?"""
