"""Made messages by place: two themes, of which one can be planted on the male side, and the same with genders shuffled."""

from studies.calibration.audit_inputs import (
    BASE,
    KNOWN,
    THEMES,
    genders_shuffled,
    made_messages,
)

__all__ = ["BASE", "KNOWN", "THEMES", "genders_shuffled", "made_messages"]
