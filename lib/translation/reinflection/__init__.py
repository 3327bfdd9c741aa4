"""First-person sentences in the other grammatical gender, after Habash, Bouamor and Chung (2019).

Whether a sentence marks its speaker as masculine or as feminine is identified; then it is rewritten
in the form that is asked for. Here this is done live in Spanish.
"""
