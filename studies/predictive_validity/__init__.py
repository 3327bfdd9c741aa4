"""Goldfarb-Tarrant et al. (2021): does a score of vectors predict what a system that reads them does?"""
