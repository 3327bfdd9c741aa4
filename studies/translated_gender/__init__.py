"""WinoMT (Stanovsky, Smith and Zettlemoyer 2019) and GENDEROUS (2025): which gender does a translation give a person?"""
