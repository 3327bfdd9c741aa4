"""Escudé Font and Costa-jussà (2019): does a translator use the context that says who the friend is, and do debiased vectors help?"""
