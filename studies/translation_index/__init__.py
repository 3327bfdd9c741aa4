"""Cho, Kim, Kim and Kim (2019): what does the translation gender bias index measure, and can a translator without gender win it?"""
