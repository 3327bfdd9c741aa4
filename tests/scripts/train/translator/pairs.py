"""Some six hundred sentence pairs, in the place of Tatoeba's."""

STEMS = dict(
    cansad="tired",
    ocupad="busy",
    enferm="sick",
    preparad="ready",
    perdid="lost",
    content="glad",
    sol="alone",
    nervios="nervous",
    viej="old",
    tranquil="calm",
    celos="jealous",
    borrach="drunk",
    rápid="fast",
    callad="quiet",
    casad="married",
    quemad="burnt",
    sorprendid="surprised",
    tont="silly",
    alt="tall",
)


def sentences() -> list[tuple[str, str]]:
    """Some six hundred pairs, about half with a first person that is marked, a third of those feminine."""
    found = []
    days = {"today": "hoy", "now": "ahora", "here": "aquí", "already": "ya", "again": "también"}
    for number, (stem, english) in enumerate(STEMS.items()):
        for turn, (when, cuando) in enumerate(days.items()):
            ending = "oao"[(number + turn) % 3]
            found += [
                (f"I'm {english} {when}.", f"Estoy {stem}{ending} {cuando}."),
                (f"I was very {english} {when}.", f"Yo estaba muy {stem}{ending} {cuando}."),
                (f"I'm not {english} {when}!", f"¡No estoy {stem}{ending} {cuando}!"),
                (f"He is {english} {when}.", f"Él está {stem}o {cuando}."),
                (f"Mary is {english} {when}.", f"Mary está {stem}a {cuando}."),
                (f"Is she {english} {when}?", f"¿Está {stem}a {cuando}?"),
            ]
    return [*found, ("I'm tired today!", "¡Estoy cansada hoy!"), ("It rains.", "Llueve.")]
