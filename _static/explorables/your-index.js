/* The translation gender bias index: shares of she, he and neither, and the score they make. */
(function () {
  "use strict";
  const { drawing, element, fixed, keep } = window.explorables;
  const KINDS = ["she", "he", "neither"];

  /* the paper's equation 2, of shares */
  function score(she, he, neither) {
    return Math.sqrt(she * he + neither);
  }

  /* whole per cent that sum to 100: one is set, the others divide the rest as they did before */
  function rest(shares, moved, value) {
    const [one, other] = [0, 1, 2].filter((place) => place !== moved);
    const left = 100 - value;
    const before = shares[one] + shares[other];
    const made = [0, 0, 0];
    made[moved] = value;
    made[one] = before ? Math.round((left * shares[one]) / before) : Math.round(left / 2);
    made[other] = left - made[one];
    return made;
  }

  function curve(neither) {
    const points = [];
    for (let i = 0; i <= 100; i++) {
      const she = ((1 - Math.cos((Math.PI * i) / 100)) / 2) * (1 - neither); // closer at the steep ends
      points.push(`${100 * she},${100 - 100 * score(she, Math.max(0, 1 - neither - she), neither)}`);
    }
    return points.join(" ");
  }

  function mount(root, content, given) {
    let shares = [5, 95, 0];
    root.setAttribute("aria-label", "Your index");
    const rows = KINDS.map((kind, place) => {
      const slider = element("input", { type: "range", id: "your-index-" + kind, min: 0, max: 100, step: 1 });
      const value = element("span", { class: "explorable-value", "aria-hidden": "true" });
      slider.addEventListener("input", () => {
        shares = rest(shares, place, Number(slider.value));
        show(true);
      });
      const line = element("div", { class: "explorable-line" }, [element("label", { for: slider.id }, kind), slider, value]);
      return { slider, value, line };
    });
    const settings = content.settings.map(([name, ...wanted]) => {
      const button = element("button", { type: "button", class: "explorable-button" }, name);
      button.addEventListener("click", () => {
        shares = wanted;
        show(true);
      });
      return button;
    });
    const says = element("p", { class: "explorable-says", role: "status" });
    const now = drawing("polyline", { class: "explorable-curve" });
    const lines = drawing("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" }, [
      drawing("line", { x1: 0, x2: 100, y1: 50, y2: 50, class: "explorable-level" }),
      drawing("polyline", { class: "explorable-curve explorable-plain", points: curve(0) }),
      now,
    ]);
    const at = (she, value) => `left:${100 * she}%;top:${100 - 100 * value}%`;
    const point = element("span", { class: "explorable-dot explorable-point" });
    const plot = element("div", { class: "explorable-plot", role: "img" }, [
      lines,
      ...content.printed.map(([, , she, , value]) => element("span", { class: "explorable-dot explorable-hollow explorable-diamond", style: at(she, value) })),
      element("span", { class: "explorable-dot explorable-hollow", style: at(0, 1) }),
      element("span", { class: "explorable-note", style: "left:1rem;top:0.1rem" }, "says nothing: 1.00"),
      point,
      ...[0, 0.5, 1].map((value) => element("span", { class: "explorable-y", style: `top:${100 - 100 * value}%` }, value.toFixed(1))),
    ]);
    const across = element("div", { class: "explorable-x", "aria-hidden": "true" }, [element("span", {}, "0 % she"), element("span", {}, "50 %"), element("span", {}, "100 % she")]);
    const about =
      "Height: the score. Thick curve: every way to divide the outputs that are not neither; thin curve: the same where all outputs say she or he. " +
      (content.printed.length ? `Open diamonds: the ${content.printed.length} sets of sentences whose scores the paper prints. ` : "") +
      "Whatever has no word for a gender counts as neither, also an empty or a copied output: so a translator that says nothing gets the best score there is, 1.00.";
    root.append(
      element("p", { class: "explorable-title" }, "Your index"),
      element("fieldset", {}, [element("legend", {}, "Of 100 outputs, how many say …"), ...rows.map((row) => row.line)]),
      element("p", { class: "explorable-settings" }, settings),
      says, plot, across, element("p", { class: "explorable-about" }, about),
    );

    function show(byReader) {
      const [she, he, neither] = shares.map((share) => share / 100);
      const value = score(she, he, neither);
      rows.forEach((row, place) => {
        row.slider.value = shares[place];
        row.slider.setAttribute("aria-valuetext", `${shares[place]} %`);
        row.value.textContent = `${shares[place]} %`;
      });
      if (byReader) keep("your-index", Object.fromEntries(KINDS.map((kind, place) => [kind, shares[place]])));
      const lower = content.printed.filter((row) => row[4] < value).length;
      const empty = neither === 1 ? " A translator that says nothing at all gets this." : "";
      says.replaceChildren(
        element("strong", {}, `Score ${fixed(value, 2)}`),
        `: the root of ${fixed(she, 2)} × ${fixed(he, 2)} + ${fixed(neither, 2)}. ` +
          (content.printed.length ? `${lower} of the ${content.printed.length} printed sets score lower.` : "") + empty,
      );
      point.setAttribute("style", at(she, value));
      now.setAttribute("points", curve(neither));
      plot.setAttribute(
        "aria-label",
        `Score by the share of she. With ${shares[2]} % neither it lies between ${fixed(score(0, 1 - neither, neither), 2)} and ` +
          `${fixed(score((1 - neither) / 2, (1 - neither) / 2, neither), 2)}; your point is at ${shares[0]} % she, score ${fixed(value, 2)}.`,
      );
    }

    function take(given) {
      const asked = given && KINDS.map((kind) => Number(given.get(kind)));
      const sound = asked && asked.every((share) => Number.isInteger(share) && share >= 0);
      if (sound && asked.reduce((sum, share) => sum + share, 0) === 100) shares = asked;
      show(false);
    }

    take(given);
    return take;
  }

  window.explorables.yourIndex = { score, rest };
  window.explorables.widgets["your-index"] = mount;
})();
