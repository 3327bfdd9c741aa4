/* Tables that are searched, filtered and sorted in the page. The rows of a long one are in
   window.searchTables, put there by a script beside the page, so that all works from file:// too;
   those of a short one are in the page. */
(function () {
  "use strict";

  function element(tag, attributes, children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value !== false && value != null) made.setAttribute(name, value === true ? "" : value);
    }
    for (const child of [].concat(children == null ? [] : children)) if (child !== "") made.append(child);
    return made;
  }

  /* "two words" stay together; all other words are looked for one by one */
  function terms(query) {
    const found = query.toLowerCase().match(/"[^"]+"?|[^\s"]+/g) || [];
    return found.map((term) => term.replaceAll('"', ""));
  }

  function number(text) {
    const found = /^[<>=≤≥\s]*([-−+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[-+]?\d+)?)/i.exec(text);
    return found ? parseFloat(found[1].replaceAll(",", "").replace("−", "-")) : NaN;
  }

  function comparison(column) {
    if (column.ordered) return (one, other) => column.codes[one] - column.codes[other];
    const numbers = column.values.map(number);
    return (one, other) => {
      const [a, b] = [column.codes[one], column.codes[other]];
      if (!isNaN(numbers[a]) && !isNaN(numbers[b])) return numbers[a] - numbers[b];
      if (isNaN(numbers[a]) !== isNaN(numbers[b])) return isNaN(numbers[a]) ? 1 : -1;
      return column.values[a].localeCompare(column.values[b], "en");
    };
  }

  /* A text that a spreadsheet would run as a formula gets an apostrophe; as lib.files.spreadsheet_csv. */
  const FORMULA = /^(?:[=@\t\r]|[-+](?!(?:[\d\s.,:%()[\]–−+-]|e[-+]?\d|to\b|inf\b)*$))/;

  function quoted(text) {
    if (FORMULA.test(text)) text = "'" + text;
    return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  }

  /* the columns of a table that stands in the page */
  function columnsOf(root) {
    const rows = [...root.querySelectorAll("tbody tr")];
    return [...root.querySelectorAll("thead th")].map((heading, place) => {
      const texts = rows.map((row) => row.cells[place].textContent);
      const values = [...new Set(texts)];
      const codes = texts.map((text) => values.indexOf(text));
      const filter = heading.hasAttribute("data-filter");
      return { name: heading.textContent, hidden: heading.hidden, filter, values, codes };
    });
  }

  function searchTable(root, columns, standing) {
    const onAPhone = window.matchMedia("(max-width: 600px)").matches;
    const perPage = onAPhone ? Math.min(10, root.dataset.perPage) : Number(root.dataset.perPage);
    const shown = columns.filter((column) => !column.hidden);
    const total = columns[0].codes.length;
    const everyRow = [...Array(total).keys()];
    const text = (column, row) => column.values[column.codes[row]];
    const texts = everyRow.map((row) => columns.map((column) => text(column, row)).join("\n").toLowerCase());
    let rows = everyRow;
    let page = 0;
    let sorted = { column: null, down: false };

    const search = element("input", { type: "search", autocomplete: "off", spellcheck: "false" });
    const filters = columns.filter((column) => column.filter).map((column) => {
      const present = [...new Set(column.codes)].filter((code) => column.values[code] !== "");
      if (column.ordered) present.sort((a, b) => a - b);
      else present.sort((a, b) => column.values[a].localeCompare(column.values[b], "en"));
      const options = present.map((code) => element("option", { value: code }, column.values[code]));
      const select = element("select", {}, [element("option", { value: "" }, "all"), ...options]);
      select.addEventListener("change", choose);
      return { column, select };
    });
    const save = element("button", { type: "button", class: "search-table-save" }, "Save as CSV");
    const status = element("p", { role: "status", class: "search-table-status" });
    const controls = element("div", { class: "search-table-controls", role: "search", "aria-label": `Search ${(root.dataset.name || "the table").replaceAll("-", " ")}` }, [
      element("label", { class: "search-table-search" }, [element("span", {}, "Search"), search]),
      ...filters.map(({ column, select }) => element("label", {}, [element("span", {}, column.name), select])),
    ]);
    const back = element("button", { type: "button" }, "Previous");
    const next = element("button", { type: "button" }, "Next");
    const frame = root.querySelector(".search-table-frame");
    const body = root.querySelector("tbody");
    const headings = [...root.querySelectorAll("thead th:not([hidden])")];
    const short = total <= perPage;
    frame.before(...(short && !filters.length ? [] : [controls, status]));
    frame.after(element("div", { class: "search-table-pages" }, short ? [save] : [back, next, save]));

    function cell(column, row) {
      const value = text(column, row);
      const target = (column.links || {})[value];
      let content = target ? element("a", { href: target }, value) : value;
      if (column.mark && value) content = element("span", { class: "verdict-mark mark-" + value.replaceAll(" ", "-") }, content);
      return element("td", { class: column.wide && "wide", "data-label": column.name }, content);
    }

    function line(row) {
      return standing ? standing[row] : element("tr", {}, shown.map((column) => cell(column, row)));
    }

    function choose() {
      const wanted = terms(search.value);
      const chosen = filters.filter(({ select }) => select.value !== "");
      const fits = (row) =>
        wanted.every((term) => texts[row].includes(term)) &&
        chosen.every(({ column, select }) => column.codes[row] === Number(select.value));
      rows = everyRow.filter(fits);
      if (sorted.column) {
        const compare = comparison(sorted.column);
        const empty = (row) => text(sorted.column, row) === "";
        const turn = sorted.down ? -1 : 1;
        rows.sort((a, b) => empty(a) - empty(b) || turn * compare(a, b) || a - b);
      }
      page = 0;
      show();
    }

    function show() {
      const first = page * perPage;
      const some = rows.slice(first, first + perPage);
      body.replaceChildren(...some.map(line));
      const found = rows.length.toLocaleString("en");
      const all = rows.length < total ? `, out of ${total.toLocaleString("en")}` : "";
      status.textContent = rows.length
        ? `Rows ${first + 1} to ${first + some.length} of ${found}${all}`
        : `No row fits${all}. Try fewer words, or another filter.`;
      back.disabled = page === 0;
      next.disabled = first + perPage >= rows.length;
      save.disabled = rows.length === 0;
    }

    function turn(by) {
      page += by;
      show();
      frame.scrollTop = 0;
      controls.scrollIntoView({ block: "nearest" });
    }

    headings.forEach((heading, place) => {
      const button = element("button", { type: "button" }, shown[place].name);
      heading.replaceChildren(button);
      button.addEventListener("click", () => {
        sorted = { column: shown[place], down: sorted.column === shown[place] && !sorted.down };
        headings.forEach((other) => other.removeAttribute("aria-sort"));
        heading.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
        choose();
      });
    });
    search.addEventListener("input", choose);
    back.addEventListener("click", () => turn(-1));
    next.addEventListener("click", () => turn(1));
    save.addEventListener("click", () => {
      const head = columns.map((column) => quoted(column.name)).join(",");
      const lines = rows.map((row) => columns.map((column) => quoted(text(column, row))).join(","));
      const url = URL.createObjectURL(new Blob([[head, ...lines, ""].join("\n")], { type: "text/csv" }));
      const link = element("a", { href: url, download: `${root.dataset.name}-rows.csv` });
      document.body.append(link);
      link.click();
      link.remove();
      URL.revokeObjectURL(url);
    });
    show();
    const asked = decodeURIComponent(location.hash.slice(1)).toLowerCase();
    if (asked && !standing && texts.some((row) => row.includes(asked))) {
      search.value = asked;  // an address may end in the id of a row
      choose();
      controls.scrollIntoView();
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const root of document.querySelectorAll(".search-table")) {
      const beside = (window.searchTables || {})[root.dataset.name];
      const standing = beside ? null : [...root.querySelectorAll("tbody tr")];
      if (beside) searchTable(root, beside.columns, null);
      else if (standing.length) searchTable(root, columnsOf(root), standing);
    }
  });
})();
