"use strict";
/* A page that stands in one half of the screen of two tables tells that its box is alive, which table
   it is, and whether the keyboard is here. Only that screen can frame it: the headers say so. */

if (window.parent !== window) {
  const say = (what) => window.parent.postMessage({ table: document.body.dataset.table, ...what }, "*");
  const here = () => {
    document.body.classList.toggle("here", document.hasFocus());
    say({ here: document.hasFocus() });
  };
  document.body.classList.add("framed");
  const beats = new EventSource("/visor/events");
  for (const name of ["state", "beat"]) beats.addEventListener(name, here);
  addEventListener("focus", here);
  addEventListener("blur", here);
  addEventListener("keydown", (event) => {
    if (event.key !== "F2") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    say({ away: true });
  }, true);
  const away = document.querySelector("[data-away]");
  if (away) away.addEventListener("click", () => say({ away: true }));
}
