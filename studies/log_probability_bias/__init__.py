"""Kurita et al. (2019), Measuring bias in contextualized word representations: the log probability bias of masked models."""
