/* Your WEAT: an association test of the reader's own words, against random words in their place. */
(function () {
  "use strict";
  const { bytes, draw, element, fixed, keep, near, probability, quantile, random } = window.explorables;
  const EXACT = 25740; // partitions that are all counted
  const SAMPLED = 20000; // partitions drawn where there are more
  const DRAWS = 1000; // random sets of words
  const AT_A_TIME = 100;
  const FLAT = 1e-12; // associations that differ by less are the rounding of one number
  const TIE = 1e-13; // of the sum of absolute centred associations: nearer partitions tie
  const PARTS = ["x", "y", "a", "b"];

  function prepared(content) {
    const words = content.words.split("\n");
    const size = content.dimensions;
    const units = Float64Array.from(new Int8Array(bytes(content.vectors).buffer));
    for (let start = 0; start < units.length; start += size) {
      let length = 0;
      for (let i = start; i < start + size; i++) length += units[i] * units[i];
      length = Math.sqrt(length);
      for (let i = start; i < start + size; i++) units[i] /= length;
    }
    return { content, words, size, units, rows: new Map(words.map((word, row) => [word, row])) };
  }

  /* the direction from the mean of B to the mean of A */
  function axis(data, A, B) {
    const made = new Float64Array(data.size);
    for (const [rows, sign] of [[A, 1 / A.length], [B, -1 / B.length]]) {
      for (const row of rows) {
        for (let i = 0, at = row * data.size; i < data.size; i++, at++) made[i] += sign * data.units[at];
      }
    }
    return made;
  }

  function association(data, row, direction) {
    let sum = 0;
    for (let i = 0, at = row * data.size; i < data.size; i++, at++) sum += data.units[at] * direction[i];
    return sum;
  }

  function average(values) {
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  }

  /* difference of the means in sample deviations of all of them */
  function effect(x, y) {
    const all = [...x, ...y];
    const middle = average(all);
    const squares = all.reduce((sum, value) => sum + (value - middle) ** 2, 0);
    return (average(x) - average(y)) / Math.sqrt(squares / (all.length - 1));
  }

  function partitions(n, k) {
    let count = 1;
    for (let i = 1; i <= Math.min(k, n - k); i++) count = Math.round((count * (n - Math.min(k, n - k) + i)) / i);
    return count;
  }

  /* one-sided: how many splits of the same words do as well as x and y, or better */
  function test(x, y) {
    const all = [...x, ...y];
    const middle = average(all);
    const centred = all.map((value) => value - middle);
    const observed = centred.slice(0, x.length).reduce((sum, value) => sum + value, 0);
    const tolerance = TIE * centred.reduce((sum, value) => sum + Math.abs(value), 0);
    const size = Math.min(x.length, y.length);
    const values = size === x.length ? centred : centred.map((value) => -value);
    const count = partitions(all.length, size);
    let [reached, better] = [0, 0];
    function seen(sum) {
      if (sum >= observed - tolerance) reached++;
      if (sum >= observed + tolerance) better++;
    }
    if (count <= EXACT) {
      (function split(from, left, sum) {
        if (!left) seen(sum);
        else for (let i = from; i <= values.length - left; i++) split(i + 1, left - 1, sum + values[i]);
      })(0, size, 0);
      return { p: Math.max(1, reached) / count, strict: better / count, reached, count, exact: true };
    }
    const next = random(1);
    const order = Float64Array.from(values);
    for (let i = 0; i < SAMPLED; i++) {
      let sum = 0;
      for (let place = 0; place < size; place++) {
        const other = place + Math.floor(next() * (order.length - place));
        const value = order[other];
        order[other] = order[place];
        order[place] = value;
        sum += value;
      }
      seen(sum);
    }
    return { p: (1 + reached) / (1 + SAMPLED), strict: better / SAMPLED, reached, count, exact: false };
  }

  /* sets of words -> what lib.association.weat says of them; null where it is undefined */
  function result(data, sets) {
    const [X, Y, A, B] = sets.map((words) => words.map((word) => data.rows.get(word)));
    const direction = axis(data, A, B);
    const [x, y] = [X, Y].map((rows) => rows.map((row) => association(data, row, direction)));
    const all = [...x, ...y];
    if (!(Math.max(...all) - Math.min(...all) > FLAT)) return null;
    return { x, y, d: effect(x, y), ...test(x, y) };
  }

  /* |d| of random sets in place of the targets, and of the attributes, a part at a time */
  function* chance(data, sets) {
    const [X, Y, A, B] = sets.map((words) => words.map((word) => data.rows.get(word)));
    const used = new Set([...X, ...Y, ...A, ...B]);
    const free = [];
    for (let row = data.content.frequent_from; row < data.words.length; row++) if (!used.has(row)) free.push(row);
    if (free.length < 2 * Math.max(X.length + Y.length, A.length + B.length)) return;
    const next = random(1);
    const direction = axis(data, A, B);
    const known = new Map(free.map((row) => [row, association(data, row, direction)]));
    const found = { targets: [], attributes: [] };
    while (found.targets.length < DRAWS) {
      for (let i = 0; i < AT_A_TIME; i++) {
        const targets = draw(free, X.length + Y.length, next).map((row) => known.get(row));
        found.targets.push(Math.abs(effect(targets.slice(0, X.length), targets.slice(X.length))));
        const attributes = draw(free, A.length + B.length, next);
        const other = axis(data, attributes.slice(0, A.length), attributes.slice(A.length));
        const [x, y] = [X, Y].map((rows) => rows.map((row) => association(data, row, other)));
        found.attributes.push(Math.abs(effect(x, y)));
      }
      yield found;
    }
  }

  function few(words) {
    return words.slice(0, 3).join(", ") + (words.length > 3 ? ", …" : "");
  }

  function mount(root, content, given) {
    const data = prepared(content);
    const title = element("p", { class: "explorable-title" }, "Your WEAT");
    root.setAttribute("aria-label", "Your WEAT");
    const choice = element("select", { id: "your-weat-test" }, [
      ...content.tests.map((test, place) => element("option", { value: place }, test.title)),
      element("option", { value: "own" }, "my own words"),
    ]);
    const names = { x: "X: first words", y: "Y: second words", a: "A: attributes", b: "B: attributes" };
    const boxes = PARTS.map((part) =>
      element("textarea", { id: "your-weat-" + part, rows: 3, spellcheck: "false", autocapitalize: "none" }),
    );
    const fields = element(
      "div",
      { class: "explorable-lists" },
      boxes.map((box, i) => element("div", {}, [element("label", { for: box.id }, names[PARTS[i]]), box])),
    );
    const message = element("p", { class: "explorable-message", role: "status" });
    const says = element("p", { class: "explorable-says", role: "status" });
    const beside = element("p", { role: "status" });
    const pictures = element("div", { class: "explorable-picture", "aria-hidden": "true" });
    const table = element("table");
    const each = element("details", {}, [element("summary", {}, "The association of every word"), element("div", { class: "explorable-scroll", tabindex: 0, role: "group", "aria-label": "Associations" }, table)]);
    const about =
      `${data.words.length.toLocaleString("en")} words of ${content.name}: those of the tests, occupations and frequent words; ` +
      "their vectors rounded to one byte a number. An association is positive nearer A. Put spaces or commas between words.";
    root.append(
      title,
      element("div", { class: "explorable-field" }, [element("label", { for: choice.id }, "Start from"), element("div", { class: "explorable-combobox" }, choice)]),
      fields, message, says, pictures, beside, each, element("p", { class: "explorable-about" }, about),
    );
    let run = 0;

    function place(value, widest) {
      return 50 - 50 * Math.max(-1, Math.min(1, value / widest)); // A is on the left
    }

    function line(label, parts, value) {
      return element("div", { class: "explorable-line" }, [element("span", {}, label), element("span", { class: "explorable-strip" }, parts), element("span", { class: "explorable-value" }, value)]);
    }

    function draws(found, sets) {
      const widest = Math.max(...found.x.map(Math.abs), ...found.y.map(Math.abs)) * 1.1;
      const rows = [found.x, found.y].map((values, i) => {
        const dots = values.map((value) =>
          element("span", { class: "explorable-dot" + (i ? " explorable-hollow" : ""), style: `left:${place(value, widest)}%` }),
        );
        const tick = element("span", { class: "explorable-tick", style: `left:${place(average(values), widest)}%` });
        return line((i ? "Y: " : "X: ") + sets[i][0] + " …", [element("span", { class: "explorable-zero" }), ...dots, tick], fixed(average(values), 3, true));
      });
      const poles = element("div", { class: "explorable-line explorable-poles" }, [
        element("span"), element("span", {}, [element("span", {}, "← nearer A: " + sets[2][0] + " …"), element("span", {}, "nearer B: " + sets[3][0] + " … →")]), element("span", { class: "explorable-value" }, "mean"),
      ]);
      pictures.replaceChildren(poles, ...rows);
    }

    function listed(found, sets) {
      const rows = [...found.x.map((value, i) => [sets[0][i], "X", value]), ...found.y.map((value, i) => [sets[1][i], "Y", value])];
      rows.sort((one, other) => other[2] - one[2]);
      table.replaceChildren(
        element("thead", {}, element("tr", {}, ["word", "list", "association"].map((name) => element("th", { scope: "col" }, name)))),
        element("tbody", {}, rows.map(([word, list, value]) =>
          element("tr", {}, [element("th", { scope: "row" }, word), element("td", {}, list), element("td", {}, fixed(value, 3, true))]),
        )),
      );
    }

    function against(found, sets) {
      const mine = ++run;
      const steps = chance(data, sets);
      beside.textContent = "Drawing random words …";
      (function step() {
        if (mine !== run) return;
        const { value, done } = steps.next();
        if (!done) {
          against.last = value;
          setTimeout(step);
          return;
        }
        const lists = against.last;
        against.last = null;
        if (!lists) {
          beside.textContent = "Too few frequent words are left to draw random sets from.";
          return;
        }
        const [targets, attributes] = ["targets", "attributes"].map((kind) => {
          const far = lists[kind].filter((d) => d >= Math.abs(found.d) - FLAT).length / lists[kind].length;
          const edge = quantile([...lists[kind]].sort((a, b) => a - b), 0.95);
          return { far, edge };
        });
        const percent = (share) => (share > 0 && share < 0.001 ? "less than 0.1 %" : `${(100 * share).toFixed(1)} %`);
        beside.textContent =
          `Random words come as far from 0 in ${percent(targets.far)} of ${DRAWS.toLocaleString("en")} draws when they replace X and Y, ` +
          `and in ${percent(attributes.far)} when they replace A and B.`;
        const bars = [["random X and Y", targets], ["random A and B", attributes]].map(([label, one]) =>
          line(label, [
            element("span", { class: "explorable-band", style: `left:0;width:${50 * Math.min(2, one.edge)}%` }),
            element("span", { class: "explorable-dot explorable-diamond", style: `left:${50 * Math.min(2, Math.abs(found.d))}%` }),
          ], fixed(one.edge, 2)),
        );
        const scale = element("div", { class: "explorable-line explorable-poles" }, [
          element("span"), element("span", {}, [element("span", {}, "0"), element("span", {}, "size of d; grey: 95 % of draws"), element("span", {}, "2")]), element("span", { class: "explorable-value" }, "95 %"),
        ]);
        pictures.querySelectorAll(".explorable-chance").forEach((old) => old.remove());
        pictures.append(element("div", { class: "explorable-chance" }, [scale, ...bars]));
      })();
    }

    function entered() {
      const unknown = [];
      const sets = boxes.map((box) => {
        const found = [];
        for (const typed of box.value.split(/[\s,;]+/).filter(Boolean)) {
          const word = [typed, typed.toLowerCase()].find((one) => data.rows.has(one));
          if (word) found.push(word);
          else unknown.push(typed);
        }
        return [...new Set(found)];
      });
      return { sets, unknown: [...new Set(unknown)] };
    }

    function show(byReader) {
      const { sets, unknown } = entered();
      message.textContent = unknown
        .map((word) => {
          const close = near(data.words, word.toLowerCase(), 3);
          return `“${word}” is not among the words here` + (close.length ? `; near it: ${close.join(", ")}.` : ".");
        })
        .join(" ");
      if (byReader) {
        const kept = choice.value === "own" ? PARTS.map((part, i) => [part, sets[i].join(",")]) : [["test", choice.value]];
        keep("your-weat", Object.fromEntries(kept));
      }
      run++;
      const shared = sets[0].filter((word) => sets[1].includes(word));
      const empty = PARTS.filter((_, i) => !sets[i].length).map((part) => part.toUpperCase());
      const found = !shared.length && !empty.length && result(data, sets);
      each.hidden = pictures.hidden = beside.hidden = !found;
      if (shared.length) says.textContent = `X and Y may share no word: ${shared.join(", ")}.`;
      else if (empty.length) says.textContent = `Put a word into ${empty.join(", ")}.`;
      else if (!found) says.textContent = "All words are equally near to A and to B, so that d is undefined: are A and B the same?";
      else {
        const [toX, toY] = found.d > 0 ? ["A", "B"] : ["B", "A"];
        const [first, second] = [`X (${few(sets[0])})`, `Y (${few(sets[1])})`];
        const lean = Math.abs(found.d) < 0.005 ? `${first} and ${second} lean alike` : `beside each other, ${first} leans to ${toX}, ${second} to ${toY}`;
        const splits = found.count < 1e9 ? found.count.toLocaleString("en") : "over a thousand million";
        says.replaceChildren(
          element("strong", {}, `d = ${fixed(found.d, 2)}`),
          `: ${lean}. `,
          element("strong", {}, `p ${found.p < 0.001 ? "" : "= "}${probability(found.p)}`),
          found.exact
            ? ` (one-sided, for X with A): ${found.reached.toLocaleString("en")} of ${splits} splits of X and Y do as well or better. Counting only better ones, as the papers do: ${probability(found.strict)}.`
            : ` (one-sided, for X with A), estimated: of the ${splits} splits of X and Y, ${SAMPLED.toLocaleString("en")} were drawn.`,
        );
        draws(found, sets);
        listed(found, sets);
        against(found, sets);
      }
    }

    function start(place) {
      choice.value = place;
      boxes.forEach((box, i) => (box.value = content.tests[place].sets[i].join(" ")));
    }

    choice.addEventListener("change", () => {
      if (choice.value !== "own") start(choice.value);
      show(true);
    });
    for (const box of boxes) {
      box.addEventListener("input", () => {
        choice.value = "own";
        show(true);
      });
    }

    function take(given) {
      const asked = given && given.get("test");
      if (given && PARTS.some((part) => given.has(part))) {
        choice.value = "own";
        boxes.forEach((box, i) => (box.value = (given.get(PARTS[i]) || "").split(",").join(" ")));
      } else if (content.tests.length) start(content.tests[asked] ? asked : 0);
      else choice.value = "own";
      show(false);
    }

    take(given);
    return take;
  }

  window.explorables.yourWeat = { prepared, result, chance };
  window.explorables.widgets["your-weat"] = mount;
})();
