/* Your word: its score with every base pair, against what random pairs give it. */
(function () {
  "use strict";
  const { bytes, draw, element, fixed, keep, near, quantile, random } = window.explorables;
  const SHOWN = 8; // suggestions
  const AROUND = 1; // occupations shown on either side of the word
  const DRAWS = 500; // draws of random pairs behind the kappa of chance
  const LONGEST = 500; // words of a pasted list
  const NAMED = 50; // of those that are not there
  /* 97.5 % points of Student's t with 1 to 20 degrees of freedom */
  const STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11, 2.101, 2.093, 2.086];

  function prepared(content) {
    const words = content.words.split("\n");
    const [pairs, jobs] = [content.pairs.length, content.occupations.length];
    const [scores, band] = [content.scores, content.band].map((text) => new Int16Array(bytes(text).buffer));
    const packed = bytes(content.random_signs);
    const signs = Array.from({ length: content.random_pairs }, (_, rater) =>
      Uint8Array.from({ length: jobs }, (_, job) => {
        const bit = rater * jobs + job;
        return (packed[bit >> 3] >> (bit & 7)) & 1;
      }),
    );
    const rows = new Map(words.map((word, row) => [word, row]));
    const data = { content, words, rows, pairs, scores, band, signs, occupations: content.occupations, scale: content.scale };
    data.extent = extent(data);
    return data;
  }

  /* one scale for all words: as wide as the occupations and their bands */
  function extent(data) {
    let widest = 0;
    for (const row of data.occupations.length ? data.occupations : data.words.keys()) {
      for (let pair = 0; pair < data.pairs; pair++) {
        widest = Math.max(widest, Math.abs(data.scores[row * data.pairs + pair]));
      }
      if (data.band.length) widest = Math.max(widest, -data.band[2 * row], data.band[2 * row + 1]);
    }
    return widest * data.scale * 1.05 || 1;
  }

  function score(data, row, pair) {
    return data.scores[row * data.pairs + pair] * data.scale;
  }

  function mean(data, row, ticked) {
    let sum = 0;
    for (const pair of ticked) sum += data.scores[row * data.pairs + pair];
    return (sum / ticked.length) * data.scale;
  }

  /* Fleiss' kappa of raters with two answers, from how many of them say "female" of each thing */
  function kappa(female, raters) {
    let [agreeing, all] = [0, 0];
    for (const count of female) {
      agreeing += count * (count - 1) + (raters - count) * (raters - count - 1);
      all += count;
    }
    const observed = agreeing / (female.length * raters * (raters - 1));
    const share = all / (female.length * raters);
    const chance = share * share + (1 - share) * (1 - share);
    return raters > 1 && chance < 1 - 1e-12 ? (observed - chance) / (1 - chance) : NaN;
  }

  function kappaOf(data, ticked) {
    const female = data.occupations.map(
      (row) => ticked.filter((pair) => data.scores[row * data.pairs + pair] > 0).length,
    );
    return kappa(female, ticked.length);
  }

  /* kappas of as many random pairs as are ticked, in order of size */
  function kappasOfChance(data, raters) {
    if (data.signs.length < raters || raters < 2) return [];
    const next = random(raters);
    const order = [...data.signs.keys()];
    const kappas = [];
    for (let i = 0; i < DRAWS; i++) {
      const female = new Uint16Array(data.occupations.length);
      for (const rater of draw(order, raters, next)) {
        const signs = data.signs[rater];
        for (let job = 0; job < female.length; job++) female[job] += signs[job];
      }
      kappas.push(kappa(female, raters));
    }
    return kappas.filter((value) => !isNaN(value)).sort((a, b) => a - b);
  }

  function result(data, word, ticked) {
    const row = data.rows.get(word);
    const values = Array.from({ length: data.pairs }, (_, pair) => score(data, row, pair));
    const band = data.band.length ? [data.band[2 * row] * data.scale, data.band[2 * row + 1] * data.scale] : null;
    const others = data.occupations.filter((job) => job !== row);
    const own = mean(data, row, ticked);
    const above = others.filter((job) => mean(data, job, ticked) > own).length;
    const places = ticked.map((pair) => 1 + others.filter((job) => score(data, job, pair) > values[pair]).length);
    return { values, band, mean: own, rank: above + 1, of: others.length + 1, places, kappa: kappaOf(data, ticked) };
  }

  /* the occupations around the word, from the most female to the most male */
  function neighbours(data, word, ticked) {
    const row = data.rows.get(word);
    const ranked = [...new Set([...data.occupations, row])].map((job) => [mean(data, job, ticked), job]);
    ranked.sort((a, b) => b[0] - a[0] || (a[1] === row ? -1 : b[1] === row ? 1 : 0));
    const place = ranked.findIndex((entry) => entry[1] === row);
    const first = Math.max(0, Math.min(place - AROUND, ranked.length - 2 * AROUND - 1));
    return ranked
      .map(([value, job], rank) => ({ word: data.words[job], value, rank: rank + 1, own: job === row }))
      .slice(first, first + 2 * AROUND + 1);
  }

  function suggestions(data, typed) {
    const found = data.rows.has(typed) ? [typed] : [];
    for (const word of data.words) {
      if (word !== typed && word.startsWith(typed)) found.push(word);
      if (found.length === SHOWN) break;
    }
    return found;
  }

  function known(data, typed) {
    return [typed, typed.toLowerCase()].find((word) => data.rows.has(word));
  }

  /* the words of a pasted text in order, as often as they stand there: lines, or what commas, semicolons, strokes and tabs part,
     without quotation marks and brackets of a list */
  function pasted(text) {
    const words = text.split(/[\n\r,;|\t，；、]+/);
    return words.map((word) => word.replace(/^[\s"'“”„‘’«»[\]]+|[\s"'“”‘’«»[\]]+$/g, "").replace(/\s+/g, " ")).filter((word) => word);
  }

  /* a row for each word that is there, from the most female: mean over ticked pairs, its 95 % interval over pairs, pairs that
     say female, and the central 90 % of one random pair; the words that are not there, and those that stand there again */
  function ofList(data, words, ticked) {
    const found = [];
    const missing = [];
    const again = new Set();
    const seen = new Set();
    for (const word of words) {
      const there = known(data, word);
      const name = there === undefined ? word : there;
      if (seen.has(name)) again.add(name);
      else if (there === undefined) missing.push(word);
      else {
        const row = data.rows.get(there);
        const values = ticked.map((pair) => score(data, row, pair));
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
        const half = values.length > 2 ? (STUDENT[Math.min(values.length - 2, STUDENT.length - 1)] * spread) / Math.sqrt(values.length) : NaN;
        const band = data.band.length ? [data.band[2 * row] * data.scale, data.band[2 * row + 1] * data.scale] : null;
        found.push({ word: there, mean, low: mean - half, high: mean + half, female: values.filter((value) => value > 0).length, band });
      }
      seen.add(name);
    }
    found.sort((a, b) => b.mean - a.mean);
    return { found, missing, again: [...again] };
  }

  /* a cell of a CSV that no spreadsheet runs */
  function cell(text) {
    const safe = /^[=+\-@\t]/.test(text) ? "'" + text : text;
    return /[",\n]/.test(safe) ? '"' + safe.replace(/"/g, '""') + '"' : safe;
  }

  function csvOf(found) {
    const digits = (value) => (isNaN(value) ? "" : value.toPrecision(4));
    const lines = found.map((one) =>
      [cell(one.word), ...[one.mean, one.low, one.high].map(digits), one.female, ...(one.band || [NaN, NaN]).map(digits)].join(","),
    );
    return ["word,mean,low,high,pairs_female,random_low,random_high", ...lines].join("\n") + "\n";
  }

  function listField(data, pairsNow) {
    const id = "your-word-list-of-words";
    const area = element("textarea", { id, rows: "5", spellcheck: "false", class: "explorable-area" });
    const button = element("button", { type: "button", class: "explorable-button" }, "Measure these words");
    const said = element("p", { role: "status" });
    const table = element("div", { class: "explorable-table", tabindex: "0", role: "region", "aria-label": "Your words" });
    const save = element("a", { class: "explorable-save", download: "your-words.csv", hidden: true }, "Save as CSV");
    const some = (words) => words.slice(0, NAMED).join(", ") + (words.length > NAMED ? ` and ${words.length - NAMED} more` : "");
    let measured = "";

    function measure(text) {
      measured = text;
      const every = pasted(text);
      const words = [...new Set(every)].slice(0, LONGEST);
      const different = new Set(every).size;
      const ticked = pairsNow();
      const { found, missing } = ticked.length ? ofList(data, words, ticked) : { found: [], missing: [] };
      const again = ticked.length ? ofList(data, every, ticked).again : [];
      const read = found.length + missing.length;
      said.textContent = !every.length ? "Paste a word or more." : !ticked.length ? "Tick a pair or more." :
        `${found.length} of ${read} ${read === 1 ? "word is" : "words are"} here.` +
        (different > LONGEST ? ` Only the first ${LONGEST} of ${different} are read.` : "") +
        (missing.length ? ` Not here: ${some(missing)}.` : "") +
        (again.length ? ` There more than once and read once: ${some(again)}.` : "");
      save.hidden = !found.length;
      if (!found.length) return table.replaceChildren();
      save.href = "data:text/csv;charset=utf-8," + encodeURIComponent(csvOf(found));
      const heads = ["word", "RIPA, mean", "over other pairs, 95 %", "pairs that say female", "one random pair, 90 %"];
      const span = (low, high) => (isNaN(low) ? "–" : `${fixed(low, 2, true)} to ${fixed(high, 2, true)}`);
      const rows = found.map((one) =>
        element("tr", {}, [
          element("th", { scope: "row" }, one.word),
          ...[fixed(one.mean, 2, true), span(one.low, one.high), `${one.female} of ${ticked.length}`, one.band ? span(...one.band) : "–"].map((text) => element("td", {}, text)),
        ]),
      );
      table.replaceChildren(
        element("table", {}, [
          element("thead", {}, [element("tr", {}, heads.map((head) => element("th", { scope: "col" }, head)))]),
          element("tbody", {}, rows),
        ]),
      );
    }

    button.addEventListener("click", () => measure(area.value));
    const field = element("details", { class: "explorable-own-list" }, [
      element("summary", {}, "Your own list of words"),
      element("label", { for: id }, `Paste up to ${LONGEST} words, one a line or with commas between; the ticked pairs count.`),
      area, button, said, table, save,
    ]);
    /* what was measured, once more with the pairs that are ticked now */
    return { field, again: () => measured && measure(measured) };
  }

  function mount(root, content, given) {
    const data = prepared(content);
    const every = [...Array(data.pairs).keys()];
    const chance = new Map();
    let ticked = every;
    let word = ["nurse", "teacher", "doctor"].find((one) => data.rows.has(one)) || data.words[data.occupations[0] || 0];
    root.setAttribute("aria-label", "Your word");

    const input = element("input", {
      id: "your-word-input", type: "text", role: "combobox", autocomplete: "off", autocapitalize: "none", spellcheck: "false",
      "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "your-word-list",
    });
    const list = element("ul", { id: "your-word-list", role: "listbox", "aria-label": "Words that begin like this", hidden: true });
    const message = element("p", { class: "explorable-message", role: "alert" });
    const strips = data.content.pairs.map((pair, place) => {
      const id = "your-word-pair-" + place;
      const box = element("input", { type: "checkbox", id, "aria-describedby": id + "-value" });
      const strip = element("span", { class: "explorable-strip", "aria-hidden": "true" });
      const value = element("span", { class: "explorable-value", id: id + "-value" });
      box.addEventListener("change", () => {
        ticked = every.filter((one) => strips[one].box.checked);
        show(true);
      });
      const line = element("div", { class: "explorable-line" }, [element("label", { for: id }, [box, pair]), strip, value]);
      return { box, strip, value, line };
    });
    const poles = element("div", { class: "explorable-line explorable-poles", "aria-hidden": "true" }, [
      element("span"), element("span", {}, [element("span", {}, "← male-leaning"), element("span", {}, "female-leaning →")]), element("span"),
    ]);
    const ownList = listField(data, () => ticked);
    const all = element("button", { type: "button", class: "explorable-button" }, "Tick all pairs");
    all.addEventListener("click", () => {
      ticked = every;
      show(true);
    });
    const says = element("p", { class: "explorable-says", role: "status" });
    const agree = element("p");
    const order = element("ol", { class: "explorable-order" });
    const ordered = element("div", {}, [element("p", { id: "your-word-order" }, ""), order]);
    order.setAttribute("aria-labelledby", "your-word-order");
    const missing = data.content.missing.length
      ? ` The vocabulary lacks ${data.content.missing.join(", ")}.`
      : "";
    const about =
      `${data.words.length.toLocaleString("en")} words of ${data.content.name}` +
      (data.words.length < data.content.size ? `, of ${data.content.size.toLocaleString("en")}` : "") +
      `. A dot is RIPA, the word's lean along one pair. ` +
      (data.band.length ? "Grey: where the central 90 % of random pairs of words put this word." : "This vocabulary has too few words for random pairs.") +
      missing;
    root.append(
      element("p", { class: "explorable-title" }, "Your word"),
      element("div", { class: "explorable-field" }, [
        element("label", { for: input.id }, "Type a word"), element("div", { class: "explorable-combobox" }, [input, list]),
      ]),
      message, says,
      element("fieldset", { class: "explorable-pairs" }, [element("legend", {}, "Base pairs that count"), poles, ...strips.map((one) => one.line), all]),
      agree, ordered, ownList.field, element("p", { class: "explorable-about" }, about),
    );

    let active = -1;
    let options = [];

    function close() {
      list.hidden = true;
      active = -1;
      input.setAttribute("aria-expanded", "false");
      input.removeAttribute("aria-activedescendant");
    }

    function choose(chosen) {
      input.value = chosen;
      close();
      word = chosen;
      message.replaceChildren();
      show(true);
    }

    function open() {
      options = suggestions(data, input.value.trim() || " ");
      if (!options.length) options = suggestions(data, input.value.trim().toLowerCase() || " ");
      list.replaceChildren(
        ...options.map((option, place) => {
          const item = element("li", { role: "option", id: "your-word-option-" + place, "aria-selected": "false" }, option);
          item.addEventListener("mousedown", (event) => {
            event.preventDefault();
            choose(option);
          });
          return item;
        }),
      );
      list.hidden = !options.length;
      active = -1;
      input.setAttribute("aria-expanded", String(options.length > 0));
      input.removeAttribute("aria-activedescendant");
    }

    function move(step) {
      if (list.hidden) open();
      if (!options.length) return;
      active = (active + step + options.length + (active < 0 && step < 0 ? 1 : 0)) % options.length;
      [...list.children].forEach((item, place) => item.setAttribute("aria-selected", String(place === active)));
      input.setAttribute("aria-activedescendant", "your-word-option-" + active);
    }

    function unknown(typed) {
      const close = near(data.words, typed.toLowerCase(), 5);
      const buttons = close.flatMap((one) => {
        const button = element("button", { type: "button", class: "explorable-button" }, one);
        button.addEventListener("click", () => {
          choose(one);
          input.focus();
        });
        return [" ", button];
      });
      message.replaceChildren(
        `“${typed}” is not among the ${data.words.length.toLocaleString("en")} words here.` + (close.length ? " Near it:" : ""),
        ...buttons,
      );
    }

    input.addEventListener("input", () => {
      open();
      const found = known(data, input.value.trim());
      message.replaceChildren();
      if (found) {
        word = found;
        show(true);
      } else if (input.value.trim() && !options.length) unknown(input.value.trim());
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        move(event.key === "ArrowDown" ? 1 : -1);
      } else if (event.key === "Enter") {
        event.preventDefault();
        const typed = input.value.trim();
        const chosen = active >= 0 ? options[active] : known(data, typed);
        if (chosen) choose(chosen);
        else if (typed) {
          close();
          unknown(typed);
        }
      } else if (event.key === "Escape") {
        if (list.hidden) input.value = "";
        close();
      }
    });
    input.addEventListener("focus", () => input.select());
    input.addEventListener("blur", close);

    function place(value) {
      return 50 + 50 * Math.max(-1, Math.min(1, value / data.extent));
    }

    function show(byReader) {
      strips.forEach((one, pair) => (one.box.checked = ticked.includes(pair)));
      ownList.again();
      if (byReader) keep("your-word", { word, pairs: every.map((pair) => (ticked.includes(pair) ? 1 : 0)).join("") });
      if (!ticked.length) {
        says.textContent = "Tick a pair or more.";
        agree.textContent = "";
        ordered.hidden = true;
        return;
      }
      const found = result(data, word, ticked);
      strips.forEach((one, pair) => {
        const value = found.values[pair];
        const parts = [element("span", { class: "explorable-zero" })];
        if (found.band) {
          const [low, high] = found.band.map(place);
          parts.unshift(element("span", { class: "explorable-band", style: `left:${low}%;width:${high - low}%` }));
        }
        const side = value > 0 ? "female" : "male";
        parts.push(element("span", { class: "explorable-dot explorable-" + side, style: `left:${place(value)}%` }));
        one.strip.replaceChildren(...parts);
        one.line.classList.toggle("explorable-off", !ticked.includes(pair));
        one.value.textContent = fixed(value, 2, true);
      });
      const female = ticked.filter((pair) => found.values[pair] > 0).length;
      const beyond = found.band ? ticked.filter((pair) => found.values[pair] < found.band[0] || found.values[pair] > found.band[1]).length : 0;
      const pairs = ticked.length === 1 ? "1 pair" : `${ticked.length} pairs`;
      says.replaceChildren(
        element("strong", {}, word),
        `: of ${pairs}, ${female} ${female === 1 ? "says" : "say"} female-leaning, ${ticked.length - female} male-leaning. ` +
          (found.band ? `${beyond} of ${ticked.length} ${ticked.length === 1 ? "dot is" : "dots are"} beyond what 90 % of random pairs give. ` : "") +
          `Mean ${fixed(found.mean, 2, true)}.`,
      );
      if (!chance.has(ticked.length)) chance.set(ticked.length, kappasOfChance(data, ticked.length));
      const kappas = chance.get(ticked.length);
      agree.textContent = "";
      if (ticked.length > 1 && data.occupations.length) {
        agree.textContent =
          `Do these ${ticked.length} pairs agree on ${data.occupations.length} occupations? Fleiss’ kappa is ${fixed(found.kappa, 2)} (1: always; 0: as by chance).` +
          (kappas.length ? ` ${ticked.length} random pairs: ${fixed(quantile(kappas, 0.05), 2)} to ${fixed(quantile(kappas, 0.95), 2)} in the central 90 %.` : "");
      } else if (data.occupations.length) agree.textContent = "Tick two pairs or more to see whether they agree.";
      ordered.hidden = !data.occupations.length;
      if (data.occupations.length) {
        const [low, high] = [Math.min(...found.places), Math.max(...found.places)];
        const among = data.occupations.includes(data.rows.get(word));
        ordered.firstChild.textContent =
          `From most female to most male, “${word}” ${among ? "is" : "would be"} number ${found.rank} of ${found.of} occupations by the mean of the ticked pairs` +
          (ticked.length > 1 ? `, and number ${low} to ${high} by single ones.` : ".");
        order.replaceChildren(
          ...neighbours(data, word, ticked).map((one) =>
            element("li", { value: one.rank, class: one.own ? "explorable-own" : null }, `${one.word} (${fixed(one.value, 2, true)})`),
          ),
        );
      }
    }

    function take(given) {
      const asked = given && given.get("word");
      const found = asked && known(data, asked);
      if (asked && !found) unknown(asked);
      if (found) word = found;
      const marks = given && given.get("pairs");
      if (marks && marks.length === data.pairs) ticked = every.filter((pair) => marks[pair] === "1");
      input.value = word;
      show(false);
    }

    take(given);
    return take;
  }

  window.explorables.yourWord = { prepared, result, kappasOfChance, kappa, pasted, ofList, csvOf };
  window.explorables.widgets["your-word"] = mount;
})();
