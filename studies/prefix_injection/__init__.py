"""Moryossef, Aharoni and Goldberg (2019): does a translator that is told who speaks give the speaker that gender?"""
