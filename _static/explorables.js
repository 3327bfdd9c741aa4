/* What a reader can try on a page. A place for it is <div class="explorable" data-explorable="name">;
   the script of that name and its numbers, _static/explorables/name.js and _static/files/name.js, are
   loaded when the reader comes near or asks for it, by script elements, so that file:// will do.
   Where they are missing, the text that is in the page remains. */
(function () {
  "use strict";
  const here = document.currentScript.src;
  const loaded = new Map();

  function element(tag, attributes, children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value !== false && value != null) made.setAttribute(name, value === true ? "" : value);
    }
    for (const child of [].concat(children == null ? [] : children)) if (child !== "") made.append(child);
    return made;
  }

  function drawing(tag, attributes, children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
    for (const child of [].concat(children == null ? [] : children)) made.append(child);
    return made;
  }

  function fixed(value, digits, plus) {
    if (!Number.isFinite(value)) return "–";
    const text = Math.abs(value).toFixed(digits);
    const sign = value < 0 && Number(text) !== 0 ? "−" : plus ? "+" : "";
    return sign + text;
  }

  function probability(p) {
    if (p < 0.001) return "< .001";
    if (p >= 0.9995) return "1";
    return p.toFixed(p < 0.1 ? 3 : 2).replace(/^0/, "");
  }

  /* mulberry32: the same numbers for the same seed, in every browser */
  function random(seed) {
    let state = seed >>> 0;
    return function () {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
  }

  /* so many different numbers below `count`, by the first steps of a shuffle of `order` */
  function draw(order, howMany, next) {
    for (let i = 0; i < howMany; i++) {
      const j = i + Math.floor(next() * (order.length - i));
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order.slice(0, howMany);
  }

  function quantile(sorted, share) {
    if (!sorted.length) return NaN;
    const place = share * (sorted.length - 1);
    const low = Math.floor(place);
    const high = Math.min(low + 1, sorted.length - 1);
    return sorted[low] + (place - low) * (sorted[high] - sorted[low]);
  }

  function bytes(text) {
    const raw = atob(text);
    const found = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) found[i] = raw.charCodeAt(i);
    return found;
  }

  /* letters to add, leave out, change or swap to come from one word to another; `most` + 1 where there are more */
  function distance(one, other, most) {
    if (Math.abs(one.length - other.length) > most) return most + 1;
    let before = null;
    let last = Array.from({ length: other.length + 1 }, (_, j) => j);
    for (let i = 1; i <= one.length; i++) {
      const row = [i];
      let least = i;
      for (let j = 1; j <= other.length; j++) {
        const same = one[i - 1] === other[j - 1] ? 0 : 1;
        row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + same);
        if (before && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
          row[j] = Math.min(row[j], before[j - 2] + 1);
        }
        least = Math.min(least, row[j]);
      }
      if (least > most) return most + 1;
      before = last;
      last = row;
    }
    return last[other.length];
  }

  /* which letters a word has, as bits: an edit changes two of them at most */
  function letters(word) {
    let found = 0;
    for (let i = 0; i < word.length; i++) found |= 1 << (word.charCodeAt(i) & 31);
    return found;
  }

  function bits(number) {
    let count = 0;
    for (let left = number; left; left &= left - 1) count++;
    return count;
  }

  /* words that are spelt much like one that is not there, the nearest and most frequent first */
  function near(words, asked, howMany) {
    const most = asked.length < 5 ? 1 : 2;
    const own = letters(asked);
    const found = [];
    for (const word of words) {
      if (Math.abs(word.length - asked.length) > most || bits(own ^ letters(word)) > 2 * most) continue;
      const far = distance(asked, word, most);
      if (far <= most) found.push([far, word]);
    }
    return found.sort((a, b) => a[0] - b[0]).slice(0, howMany).map((entry) => entry[1]);
  }

  /* the state of a widget in the address: #name?word=nurse&… */
  function state(name) {
    const [of, given] = decodeURI(location.hash.slice(1)).split("?", 2);
    return of === name ? new URLSearchParams(given || "") : null;
  }

  function keep(name, entries) {
    const address = "#" + name + "?" + new URLSearchParams(entries).toString();
    try {
      history.replaceState(history.state, "", address);
    } catch {
      /* a browser that keeps the address of a file as it is: everything else works */
    }
  }

  function script(address) {
    if (!loaded.has(address)) {
      loaded.set(
        address,
        new Promise((done, failed) => {
          const made = element("script", { src: address });
          made.addEventListener("load", done);
          made.addEventListener("error", () => failed(new Error("not there: " + address)));
          document.head.append(made);
        }),
      );
    }
    return loaded.get(address);
  }

  async function load(root) {
    if (root.dataset.loaded) return;
    root.dataset.loaded = "wait";
    const name = root.dataset.explorable;
    const opener = root.querySelector(":scope > .explorable-open");
    try {
      await Promise.all([
        script(new URL("explorables/" + name + ".js", here).href),
        script(new URL("files/" + name + ".js", here).href),
      ]);
    } catch {
      root.dataset.loaded = "missing";
      opener.remove();
      return;
    }
    const focused = document.activeElement === opener;
    const body = element("div", { class: "explorable-body", role: "group" });
    const update = explorables.widgets[name](body, window.explorableData[name], state(name));
    opener.remove();
    root.prepend(body);
    root.querySelector(".explorable-fallback").classList.add("explorable-replaced");
    root.dataset.loaded = "yes";
    if (focused) body.querySelector("input, select, button").focus();
    root.update = update;
  }

  /* a link, or an address that was kept, to a widget and its state */
  async function follow() {
    for (const root of document.querySelectorAll(".explorable[data-explorable]")) {
      const given = state(root.dataset.explorable);
      if (!given) continue;
      for (let around = root.parentElement.closest("details"); around; around = around.parentElement.closest("details")) around.open = true;
      if (root.update) root.update(given);
      else await load(root);
      root.scrollIntoView();
    }
  }

  function start() {
    const watcher = new IntersectionObserver(
      (entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => load(entry.target)),
      { rootMargin: "300px" },
    );
    for (const root of document.querySelectorAll(".explorable[data-explorable]")) {
      const opener = element("button", { type: "button", class: "explorable-open explorable-button" }, "Try it yourself");
      opener.addEventListener("focus", () => load(root));
      opener.addEventListener("click", () => load(root));
      root.prepend(opener);
      watcher.observe(root);
    }
    window.addEventListener("hashchange", follow);
    follow();
  }

  const widgets = {};
  const explorables = { bytes, distance, draw, drawing, element, fixed, keep, near, probability, quantile, random, widgets };
  window.explorables = explorables;
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
