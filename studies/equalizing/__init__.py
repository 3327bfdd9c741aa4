"""Escudé Font and Costa-jussà (2019): does a translator use the context that says who a friend is, and do debiased vectors help?"""
