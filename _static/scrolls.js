/* What is wider than the page scrolls in its own frame: a place with a name that the keyboard reaches.
   What fits is no stop of the keyboard. */
(function () {
  "use strict";
  const FRAMES = "figure, pre, .output, .cell_output, .pst-scrollable-table-container, .verdict-bars, section > table, dl.py, .math, mjx-container[display]";

  function name(frame, place) {
    const caption = frame.querySelector("figcaption, caption");
    const words = caption ? caption.textContent.trim().split(/\s+/).slice(0, 8).join(" ") : "Frame";
    return `${words} (scrolls, ${place + 1})`;
  }

  function mark() {
    document.querySelectorAll("article").forEach((article) => {
      article.querySelectorAll(FRAMES).forEach((frame, place) => {
        const scrolls = /auto|scroll/.test(getComputedStyle(frame).overflowX) && frame.scrollWidth > frame.clientWidth + 1;
        if (scrolls && !frame.hasAttribute("tabindex")) frame.dataset.stop = frame.tabIndex = 0;
        if (!scrolls && frame.dataset.stop) {
          frame.removeAttribute("tabindex");
          delete frame.dataset.stop; // and with it the words that say so
        }
        if (scrolls && !frame.hasAttribute("role") && /DIV|FIGURE|PRE/.test(frame.tagName)) {
          frame.setAttribute("role", "region");
          frame.setAttribute("aria-label", name(frame, place));
        }
      });
    });
  }

  let waiting = 0;
  function later() {
    if (!waiting) waiting = requestAnimationFrame(() => ((waiting = 0), mark()));
  }

  window.addEventListener("load", () => {
    mark();
    if (window.MathJax && MathJax.startup) MathJax.startup.promise.then(mark);
    document.fonts.addEventListener("loadingdone", mark); // letters of formulas come late, and may be wider
    // the width changes with the window, and with a side bar that opens or closes
    const sizes = new ResizeObserver(mark);
    // formulas are set, and tables drawn, whenever their scripts have come
    const parts = new MutationObserver(later);
    document.querySelectorAll("article").forEach((article) => {
      sizes.observe(article);
      parts.observe(article, { childList: true, subtree: true });
    });
  });
  document.addEventListener("toggle", mark, true);
})();
