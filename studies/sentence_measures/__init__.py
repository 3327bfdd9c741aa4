"""Nine measures of sentences (May et al. 2019, Pikuliak et al. 2023, Guo and Caliskan 2021): do they agree on a model?"""
