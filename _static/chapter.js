/* A chapter: one switch that opens all folded code of the page. */
(function () {
  "use strict";
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector(".show-all-code");
    const folds = [...document.querySelectorAll("details.code-fold")];
    if (!button || !folds.length) return;
    button.hidden = false;
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(open));
      button.textContent = open ? "hide all code" : "show all code";
      folds.forEach((fold) => { fold.open = open; });
    });
  });
})();
