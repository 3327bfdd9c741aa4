"""Bhaskaran & Bhallamudi (2019): do sentiment classifiers rate two sentences alike that differ in a feminine or masculine noun?"""
