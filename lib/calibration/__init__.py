"""A planted truth for the measures: text whose associations are known, and how well scores give them back."""

from lib.calibration.corpus import Plan, PlantedCorpus, plant
from lib.calibration.recovery import rejection_rate, sign_accuracy

__all__ = ["Plan", "PlantedCorpus", "plant", "rejection_rate", "sign_accuracy"]
