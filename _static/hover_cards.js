/* Cards over links to glossary terms, citations and printed numbers: what the link leads to, in two
   sentences. The texts are in files/hover_cards.js, which is loaded when the page is at rest. The link
   itself leads to all that a card says, so nothing is lost without a mouse or without this script. */
(() => {
  "use strict";
  const texts = new URL("files/hover_cards.js", document.currentScript.src).href;
  const links = "article a.reference.internal[href*='#']";
  let card = null;
  let link = null;
  let timer = 0;

  const said = (a) => window.hoverCards && window.hoverCards[decodeURIComponent(a.hash.slice(1))];

  const hide = () => {
    clearTimeout(timer);
    if (link) {
      link.removeAttribute("aria-describedby");
    }
    if (card) {
      card.hidden = true;
    }
    link = null;
  };

  const make = () => {
    card = document.createElement("div");
    card.id = "hover-card";
    card.setAttribute("role", "tooltip");
    card.hidden = true;
    card.addEventListener("pointerenter", () => clearTimeout(timer));
    card.addEventListener("pointerleave", hide);
    document.body.append(card);
  };

  const show = (a) => {
    const text = said(a);
    clearTimeout(timer);
    if (!text || a === link) {
      return;
    }
    hide();
    if (!card) {
      make();
    }
    const heading = document.createElement("strong");
    heading.textContent = text[0];
    const body = document.createElement("span");
    body.textContent = text[1];
    card.replaceChildren(heading, body);
    card.hidden = false;
    const place = a.getClientRects()[0];
    const left = Math.min(place.left, document.documentElement.clientWidth - card.offsetWidth - 8);
    const below = place.bottom + card.offsetHeight + 12 < window.innerHeight;
    const top = below ? place.bottom + 4 : Math.max(4, place.top - card.offsetHeight - 4);
    card.style.left = `${Math.max(8, left)}px`;
    card.style.top = `${top}px`;
    a.setAttribute("aria-describedby", card.id);
    link = a;
  };

  const linkAt = (event) => event.target instanceof Element && event.target.closest(links);

  document.addEventListener("pointerover", (event) => {
    const a = linkAt(event);
    if (a && event.pointerType === "mouse" && said(a)) {
      clearTimeout(timer);
      timer = setTimeout(show, 150, a);
    }
  });
  document.addEventListener("pointerout", (event) => {
    if (linkAt(event)) {
      clearTimeout(timer);
      timer = setTimeout(hide, 250);
    }
  });
  document.addEventListener("focusin", (event) => {
    const a = linkAt(event);
    if (a && a.matches(":focus-visible")) {
      show(a);
    }
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      hide();
    }
  });
  document.addEventListener("scroll", hide, { passive: true });

  window.addEventListener("load", () => {
    if (document.querySelector(links)) {
      const script = document.createElement("script");
      script.src = texts;
      document.head.append(script);
    }
  });
})();
