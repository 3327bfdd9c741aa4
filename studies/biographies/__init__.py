"""Biographies without gender: do word vectors lose what a classifier of occupations makes unfair use of? After Prost et al. (2019)."""
