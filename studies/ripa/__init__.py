"""Ethayarajh, Duvenaud and Hirst (2019), RIPA: what a lean in vectors says about the text they were trained on."""
