"""What a conclusion of a chapter rests on: what was planted is found, what is known is noticed, nulls stay nulls.

The numbers themselves are protected by the recorded results (`test_results`).
"""

import pytest

from studies.prefix_injection.contrasts import GENDER
from studies.sentence_measures.lean_scores import LEAN_SCORES
from studies.translated_gender.winomt import PUBLISHED
from tests.chapters.runs import rows_of

PROFILES = pytest.mark.parametrize("profile", ["embedded", "sample"])


def test_measures_agree_more_on_the_same_vectors_than_with_themselves_on_another_half():
    within = rows_of("embedded", "agreement_of_measures", "rank correlation on the same vectors")
    within = within[within["first"] != within["second"]]
    half = rows_of("embedded", "agreement_of_measures", "correlation of halves of the text")
    assert (half["low"] < half["value"]).all() and (half["value"] < half["high"]).all()
    assert within["value"].median() > half["value"].median()


def test_known_words_are_told_apart_by_every_measure_of_vectors():
    known = "AUC of words gendered by definition"
    assert (rows_of("embedded", "agreement_of_measures", known)["value"] > 0.8).all()


def test_the_lean_goes_with_what_lies_outside_more_than_random_pairs_do():
    what = "rank correlation of the lean"
    orders = rows_of("sample", "before_you_measure", what).set_index("beside")["value"]
    chance = rows_of("sample", "before_you_measure", f"{what}, random pairs").set_index("beside")
    assert len(orders) == 3 and (orders > chance.loc[orders.index, "high"]).all()


def test_the_resolver_hears_the_gender_of_mothers_and_fathers():
    known = "preference of the resolver, mother less father and their like"
    assert rows_of("sample", "before_you_measure", known)["value"].item() > 0.02


def test_merging_explicit_words_closes_their_gap_and_no_other():
    gap = rows_of("embedded", "biographies", "TPR gap, planted")
    gap = gap.set_index(["signal", "variant"])["value"]
    explicit = gap["explicit words"]
    for name in ("scrubbed", "strongly debiased", "equalise only"):
        assert explicit[name] < 0.6 * explicit["plain"]
    assert explicit["project only"] > explicit["equalise only"]
    assert explicit["random direction and sets"] > 1.5 * explicit["strongly debiased"]
    topics = rows_of("embedded", "biographies_evidence", "TPR gap, planted")
    topics = topics.set_index(["signal", "variant"])["value"]
    for signal, left in {"stereotyped attributes": gap, "correlated topics": topics}.items():
        assert left[signal, "strongly debiased"] == pytest.approx(left[signal, "plain"], abs=0.03)


def test_a_new_text_lies_where_the_recorded_ones_do():
    for quantity, most in (
        ("marks beyond 95 % of new texts", 0.3),
        ("largest deviation of a new text from the grid", 5),
    ):
        assert rows_of("embedded", "calibration_evidence", quantity)["value"].item() < most


def test_lists_dealt_at_random_raise_no_more_false_alarms_than_five_percent():
    alarms = rows_of("embedded", "calibration", "false alarms at 5 %")
    random_lists = alarms[alarms["question"] == "nothing there"]
    assert len(random_lists) > 20 and (random_lists["low"] <= 0.05).all()


def test_lists_of_whole_topics_alarm_by_words_and_not_by_topics_where_none_leans():
    alarms = rows_of("embedded", "calibration", "false alarms at 5 %")
    alarms = alarms.set_index("question")
    by_words, by_topic = alarms.loc["random topics"], alarms.loc["random topics, by topic"]
    glove = by_words[by_words["space"] == "GloVe"]
    assert glove["value"].mean() > 0.3 and (glove["low"] > 0.05).sum() > 5
    assert by_topic["value"].mean() < 0.12 and (by_topic["low"] <= 0.05).all()
    leaning = alarms.loc["topics, by topic"].set_index(["space", "measure"])["value"]
    assert leaning["masked head", "log probability bias"] > 0.5


def test_a_classifier_that_sees_no_gender_keeps_the_level_of_its_test():
    gaps = rows_of("embedded", "calibration_evidence", "TPR gap: false alarms, more texts")
    gaps = gaps.set_index("measure")
    assert (gaps["n"] >= 300).all() and gaps.loc["TPR gap, blind", "high"] < 0.1
    assert gaps.loc["TPR gap", "low"] > 0.2


def test_a_strong_plant_is_seen_and_a_ratio_of_errors_does_not_see_it():
    slope = rows_of("embedded", "calibration_evidence", "slope over planted strength")
    slope = slope.set_index("measure")
    assert slope.loc["WEAT", "low"] > 0 > slope.loc["GAP ratio, handicap", "high"]
    assert abs(slope.loc["GAP ratio", "value"]) < 0.02


def test_exact_and_t_intervals_cover_and_cells_drawn_alone_do_not():
    coverage = rows_of("embedded", "calibration_evidence", "coverage of 95 % intervals")
    coverage = coverage.set_index("kind")
    assert coverage.loc["exact_share", "high"] >= 0.95
    assert coverage.loc["seeds_3", "low"] <= 0.95 <= coverage.loc["seeds_3", "high"]
    assert coverage.loc["cells_alone", "high"] < 0.8
    assert coverage.loc["tgbi_even", "high"] < 0.95 < coverage.loc["tgbi_40", "high"]


@PROFILES
def test_every_probe_in_context_stands_beside_its_own_null(profile):
    nulls = rows_of(profile, "contextual_geometry_evidence", "random pairs")
    nulls = nulls[nulls["where"].isin(["static rows", "in context"])]
    probes = {"gender space", "direct bias", "clustering", "classification", "neighbours"}
    for _, rows in nulls.groupby("where"):
        assert set(rows["probe"]) == probes and len(rows) == len(probes)
    assert (nulls["low"] < nulls["value"]).all() and (nulls["value"] < nulls["high"]).all()
    assert (nulls["n"] >= 100).all()


@PROFILES
def test_words_gendered_by_definition_are_noticed_and_a_large_planted_lean_is_too(profile):
    below = "gendered by definition, random pairs below"
    known = rows_of(profile, "contextual_geometry_evidence", below).set_index(["probe", "where"])[
        "value"
    ]
    for where in ("static rows", "in context"):
        assert known["neighbours", where] > 0.8 and known["direct bias", where] > 0.9
    power = rows_of(profile, "contextual_geometry_evidence", "power of direct bias")
    for _, part in power.groupby("where"):
        values = part.sort_values("spread")["value"]
        assert values.iloc[-1] > 0.8 > values.iloc[0]


@PROFILES
def test_classification_could_have_shown_a_lean_and_what_could_not_is_not_counted(profile):
    power = rows_of(profile, "contextual_geometry_evidence", "power of probes with labels")
    largest = power[power["spread"] == power["spread"].max()].set_index(["probe", "where"])
    assert (largest.loc["classification", "value"] == 1).all()
    known = rows_of(
        profile,
        "contextual_geometry_evidence",
        "gendered by definition, p beside as many random pairs",
    )
    worst = known.groupby("probe")["value"].max()
    stands = rows_of(profile, "contextual_geometry_evidence", "noun pairs stand out")
    stands = stands.set_index("probe")["value"]
    blind = [probe for probe in worst.index if worst[probe] > 0.025]
    assert (stands[blind] != 0).all() and stands["classification"] == 0


@pytest.mark.parametrize(("profile", "share"), [("embedded", 0.1), ("sample", 0.5)])
def test_associations_of_cultures_that_were_planted_are_found_with_their_sign(profile, share):
    planted = rows_of(profile, "cross_cultural_evidence", "planted signed R2")["value"].to_numpy()
    recovered = rows_of(profile, "cross_cultural_evidence", "recovered signed R2")
    recovered = recovered.loc[(recovered == "all words").any(axis=1), "value"].to_numpy()
    assert len(planted) == len(recovered) == 3
    assert (planted * recovered > 0).all() and (abs(recovered) > share * abs(planted)).all()


def test_noise_gives_the_known_sizes_of_r2_under_selection():
    noise = rows_of("embedded", "cross_cultural_evidence", "size of R2 in noise")
    noise = noise[(noise["correlation"] == 0) & (noise["number"] == "r2, 95 %")]
    size = noise.set_index(["cultures", "share"])["value"]
    assert size[51, 1.0] == pytest.approx(0.33, abs=0.02)
    assert size[51, 0.2] == pytest.approx(0.09, abs=0.015)
    assert size[99, 0.2] == pytest.approx(0.054, abs=0.01)


def test_as_many_printed_cells_lie_beyond_noise_as_were_counted_by_hand():
    """Another program, with its own noise: 18 of 18 with 4 words, 2 with 40 unlike ones, 16 with 40 that correlate by 0.5."""
    cells = rows_of("embedded", "cross_cultural_evidence", "printed cells of Figure 5 beyond noise")
    cells = cells.set_index(["words", "correlation"])
    for words, correlation, by_hand in ((4, 0.0, 18), (20, 0.0, 8), (40, 0.0, 2), (40, 0.5, 16)):
        cell = cells.loc[(words, correlation)]
        assert cell["low"] <= by_hand <= cell["high"] or abs(cell["value"] - by_hand) <= 1


@PROFILES
def test_the_usual_test_rejects_too_often_where_the_attributes_mean_nothing(profile):
    what = "share rejected with random attributes"
    one_sided = rows_of(profile, "domains_evidence", what)
    one_sided = one_sided[(one_sided == "one").any(axis=1)]
    assert len(one_sided) > 30 and (one_sided["low"] > 0.05).mean() > 0.8
    overall = rows_of(profile, "domains_evidence", f"{what}, all tests")
    assert len(overall) == 2 and (overall["low"] > 0.1).all()


def test_the_score_sees_who_follows_the_sentence_and_not_the_occupation():
    accuracy, changed, occupation = (
        rows_of("embedded", "equalizing", quantity).set_index("translator")["value"]
        for quantity in ("mean accuracy", "changed by her", "occupation changed by her")
    )
    assert (accuracy["always amigo"], changed["always amigo"]) == (50, 0)
    for name in ("follows the sentence", "right friend, masculine occupation"):
        assert (accuracy[name], changed[name]) == (100, 100)
    assert occupation["right friend, masculine occupation"] == 0


@PROFILES
def test_professions_lie_inside_the_null_and_words_that_name_a_gender_do_not(profile):
    shares = rows_of(
        profile, "multiclass_evidence", "share of random class words that score as much"
    )
    assert (shares.loc[shares["scored"] == "professions", "value"] > 0.05).all()
    gendered = shares[shares["classes"].str.startswith("man,")]
    check = gendered.loc[gendered["scored"] == "words that name a gender", "value"]
    assert len(check) >= 2 and (check < 0.025).all()


def test_a_planted_dependence_of_gaps_on_scores_is_found_and_exchanged_gaps_are_not():
    found = rows_of("embedded", "predictive_validity_evidence", "share found")
    of_resolver = found[(found["gap"] == "coreference") & (found["points"] == 30)]
    assert of_resolver.set_index("design").loc["both", "value"] > 0.95
    assert found.loc[found["design"] == "gaps exchanged", "value"].between(0.03, 0.08).all()


def test_released_correlations_are_as_wide_as_seven_points_make_them():
    coref = rows_of("sample", "predictive_validity_evidence", "correlation, released")
    coref = coref[coref["task"] == "coreference"]
    assert len(coref) == 12 and set(coref["n"]) == {7}
    assert ((coref["high"] - coref["low"]) > 0.8).all()
    pooled = rows_of("sample", "predictive_validity_evidence", "pooled correlation, released")
    row = pooled.set_index(["task", "points"]).loc[("coreference", "without copies")]
    assert row["value"] == pytest.approx(0.44, abs=0.01) and row["low"] < 0 < row["high"]


@PROFILES
def test_taught_prefixes_survive_and_turn_the_speaker(profile):
    survived, share = (
        rows_of(profile, "prefix_injection_evidence", quantity)
        .set_index(["system", "speaker", "audience"])["value"]
        .loc["taught"]
        for quantity in ("survival", "feminine share")
    )
    assert len(survived) == 12  # ten prefixes of Table 1, "Someone said", "They said"
    assert survived.mean() >= 0.98
    others = [share[speaker, "none"] for speaker in ("he", "someone", "none")]
    assert share["she", "none"] > 0.5 > max(others)


@PROFILES
def test_over_seeds_teaching_turns_the_score_to_the_gender(profile):
    rows = rows_of(profile, "prefix_injection_evidence", "woman's text less man's, over seeds")
    assert set(rows["n"]) == {3} and set(rows["steps"]) == {4000}
    low = rows.set_index(["arm", "contrast"])["low"]
    for step in GENDER:
        assert low["taught", step] > 0 and low["taught − not taught", step] > 0


def test_the_gender_in_a_prefix_reaches_the_score_of_a_translator_that_was_not_taught():
    what = "woman's text less man's"
    value, p, quality = (
        rows_of("sample", "prefix_injection", quantity)
        .set_index(["system", "sentences", "contrast"])["value"]
        .loc["not taught", "both"]
        for quantity in (what, f"p, {what}", f"{what}, by quality alone")
    )
    assert (p < 0.05).all() and (value > 4).all() and (quality.abs() < 1).all()


def test_without_punctuation_nothing_is_left_of_the_masculine_gain():
    gains = rows_of("sample", "reinflection_evidence", "gain in BLEU")
    low = gains[gains["split"] == "test"].set_index(["target", "scored"])["low"]
    assert low["M", "all sentences"] > 0 > low["M", "without punctuation"]
    assert low["F", "without punctuation"] > 0


@PROFILES
def test_the_theorem_of_ripa_holds_with_its_conditions_and_not_without(profile):
    left = rows_of(profile, "ripa_evidence", "share of the bias left after projection")
    proved = left.select_dtypes(exclude="number").eq("all conditions hold").any(axis=1)
    assert len(left) == 4 and left.loc[proved, "value"].item() < 1e-12
    assert (left.loc[~proved, "value"] > 0.01).all()


def test_every_score_of_sentences_is_checked_on_known_words_and_beside_womens_share():
    names, known, null = (
        set(rows_of("embedded", "sentence_measures", quantity)["system"])
        for quantity in (
            "order beside women's share",
            "AUC of words gendered by definition",
            "p, random words",
        )
    )
    assert names == known == null and len(names) == 9 == len(LEAN_SCORES) + 2


@PROFILES
def test_no_score_of_sentences_is_judged_by_a_null_that_could_not_have_said_no(profile):
    least = rows_of(profile, "sentence_measures", "smallest p, random words")["value"]
    assert len(least) == 9 and (least * len(least) < 0.05).all()
    of_decoder = rows_of(profile, "sentence_measures_evidence", "smallest p, random words")["value"]
    assert (of_decoder * len(of_decoder) < 0.05).all()


def test_ceat_calls_random_attributes_significant_too_often():
    what = "random attributes that CEAT calls significant"
    called = rows_of("embedded", "sentence_measures_evidence", what)["value"]
    assert len(called) == 4 and called.mean() > 0.2


def test_the_papers_test_of_sentiment_rejects_three_times_the_mean_of_pairs_none_and_ranks_two():
    p = rows_of("sample", "sentiment_evidence", "p of the difference")
    p = p.set_index(["test", "system"])["value"]
    models = ["M.1 BoW+LogReg", "M.2 BiLSTM", "M.3 BERT"]
    assert (p["each twin by itself"][models] < 0.01 / 3).all()
    assert (p["nouns and occupations"][models] > 0.1).all()
    assert (p["nouns of a pair exchanged"][models] > 0.1).all()
    ranks = rows_of("sample", "sentiment", "p by ranks, corrected for three models")
    ranks = ranks.set_index("system")["value"]
    assert ranks["M.1 BoW+LogReg"] > 0.2
    assert ranks[models[1:]].to_numpy() == pytest.approx([0.032, 0.032], abs=5e-4)


def test_without_spinster_and_widow_the_means_of_two_models_are_beyond_exchanged_nouns():
    p = rows_of("sample", "sentiment", "p of the differences of pairs")
    p = p[(p["without"] == "spinster, widow") & (p["statistic"] == "mean")]
    p = p.set_index("system")["value"]
    assert p["M.2 BiLSTM"] < 0.01 and p["M.3 BERT"] < 0.01 and p["M.1 BoW+LogReg"] > 0.1


def test_person_is_no_special_last_word_in_probability():
    words = rows_of("sample", "sentiment_evidence", "BERT, one last word less the others")
    words = words.set_index(["scale", "word"])["value"].loc["probability"]
    assert len(words) == 21 and words.idxmax() == "pilot" and words.rank()["person"] == 20


def test_labels_of_the_crowd_belong_twenty_rows_further_down():
    moved = rows_of("sample", "taxonomy_evidence", "agreed sentences in the list").set_index(
        "rows_above"
    )
    assert moved.loc[20, "value"] == 1 and moved["value"].drop(20).max() < 0.5


def test_winomt_accuracies_are_near_those_of_the_authors():
    by_rule = rows_of("sample", "translated_gender_evidence", "WinoMT accuracy")
    by_rule = by_rule.set_index(["system", "language", "rule"])["value"]
    for pair in [("google", "es"), ("bing", "es"), ("google", "he"), ("bing", "he")]:
        assert by_rule[(*pair, "own")] == pytest.approx(PUBLISHED[pair].accuracy, abs=1.2)
    for pair in [("google", "es"), ("google", "fr"), ("google", "de")]:
        assert by_rule[(*pair, "authors")] == pytest.approx(PUBLISHED[pair].accuracy, abs=0.6)


@pytest.mark.parametrize(("profile", "translators"), [("embedded", 5), ("sample", 8)])
def test_intervals_over_words_are_right_more_often_than_over_sentences(profile, translators):
    rows = rows_of(
        profile, "translation_index_evidence", "intervals that have the true index in them"
    )
    shares = rows.pivot_table(index="translator", columns="drawn", values="value")
    assert len(shares) == translators and (shares["items"] > shares["sentences"]).all()
    ordinary = shares.drop(["half she, half he", "he, hardly ever neutral"])
    assert ordinary["items"].between(0.88, 0.99).all() and (ordinary["sentences"] < 0.85).all()


@PROFILES
def test_planted_translators_are_found_and_useless_ones_score_well(profile):
    planted = rows_of(profile, "translation_index", "index of a planted translator")
    assert len(planted) == 4 and (planted["value"] - planted["truth"]).abs().max() < 0.03
    useless = rows_of(profile, "translation_index", "index of a useless translator")
    score = useless.set_index("translator")["value"]
    assert score["says nothing"] == score["copies what it is asked"] == 1
    assert score["always he"] == 0
    tossed = score["she of these words, he of those"]
    assert tossed == pytest.approx(score["tosses a coin"], abs=0.01)


@PROFILES
def test_a_list_that_shares_the_contrast_is_seen_and_most_lists_do_no_more_than_random_words(
    profile,
):
    planted = rows_of(profile, "conceptors", "d of a planted contrast after the list")
    random = rows_of(profile, "conceptors", "d after random lists of that size")
    assert (planted["p"] <= 0.05).mean() >= 0.8
    assert 0.05 < (random["p"] < 0.05).mean() < 0.5
    task = rows_of(profile, "conceptors", "task: occupations named")
    gap = task[task["measure"] == "gap beyond a fair one"].set_index("treatment")["value"]
    whole, rest = (
        gap["conceptor of pronouns, 13 lengths"],
        gap["pronouns without words of the texts"],
    )
    assert gap["words deleted"] < whole < rest and whole < gap["random words"]


def test_words_for_good_and_bad_people_stand_out_of_a_model_and_groups_beside_nouns_do_not():
    what = "pleasant against unpleasant"
    nouns = rows_of("sample", "multiclass_in_models", f"{what}, everyday nouns")["high"].item()
    known = rows_of("sample", "multiclass_in_models", f"{what}, words for good and bad people")
    assert (known["value"] > nouns).sum() >= 3
    groups = rows_of("sample", "multiclass_in_models", f"{what}, beside everyday nouns")
    assert len(groups) == 6 and (groups["value"].abs() < nouns).all()


def test_the_lean_tells_words_that_name_a_gender_apart_and_random_pairs_do_not():
    what = "words that name a gender told apart"
    told = rows_of("sample", "before_you_measure", what)["value"].item()
    assert told > rows_of("sample", "before_you_measure", f"{what}, random pairs")["high"].item()


@PROFILES
def test_a_list_turned_down_in_sentences_takes_more_of_other_women_and_men_than_random_nouns(
    profile,
):
    story = "conceptors_in_context"
    known = rows_of(profile, story, "other pairs the right way round along a list")
    assert (known["value"] > 0.7).all()
    taken = rows_of(profile, story, "share of the differences that goes with a list")
    taken = taken.set_index(["list", "pairs"])["value"].unstack()
    random = rows_of(profile, story, "share that goes with random nouns")
    assert (random["p"] >= 1 / (1 + random["draws"])).all()
    women = random[random["pairs"] == "women and men"].set_index("list").loc[taken.index]
    assert (women["adjusted"] < 0.05).all() and (taken["women and men"] > women["high"]).all()
    assert (taken["women and men"] > taken["two nouns"]).all()


@PROFILES
def test_a_test_without_its_words_on_the_list_is_judged_where_its_control_is_noticed(profile):
    for chapter in ("conceptors_in_context", "conceptors_in_context_evidence"):
        quantity = "a test before and after a list without the tested words"
        rows = rows_of(profile, chapter, quantity)
        wide = rows.pivot(index=["test", "list"], columns="number", values="value")
        assert (wide["planted p"] <= 0.05).all() and (wide["planted before"] > 1).all()
        assert (wide["p"] >= 1 / (1 + wide["draws"])).all() and (wide["words"] >= 2).all()
        maths = wide.loc["maths vs arts"]
        assert (maths["d"] > maths["d whole"]).all()  # the tested words on the list help it
