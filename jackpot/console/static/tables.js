"use strict";
/* Two tables on one screen. Each half is its own box's console; this page only watches whether each
   box is alive, says so, and shows which half the keyboard belongs to. It sends nothing to a table. */

const SILENT_MS = 2500;    // a box beats twice a second
const RELOAD_MS = 6000;    // a short silence ends by itself, and a half-filled form survives it
const LOOK_MS = 250;

class Half {
  constructor(section) {
    this.section = section;
    this.frame = section.querySelector("iframe");
    this.origin = section.dataset.origin || location.origin;
    this.table = section.dataset.table;
    this.heard = performance.now();
    this.tried = this.heard;
    this.stranger = false;
  }

  hear(message) {
    this.stranger = message.table !== "" && message.table !== this.table;
    this.heard = performance.now();
    if (typeof message.here === "boolean") this.keyboard(message.here);
    this.look();
  }

  keyboard(here) {
    this.section.classList.toggle("here", here);
    this.section.querySelector(".keyboard").hidden = !here;
  }

  look() {
    const now = performance.now();
    const silent = now - this.heard > SILENT_MS;
    const lost = this.section.querySelector(".lost");
    if (silent && lost.querySelector("[data-why=silent]").hidden) {
      lost.querySelector("time").textContent = new Date().toLocaleTimeString(document.documentElement.lang);
    }
    lost.querySelector("[data-why=silent]").hidden = !silent;
    lost.querySelector("[data-why=stranger]").hidden = silent || !this.stranger;
    lost.hidden = !silent && !this.stranger;
    this.frame.inert = !lost.hidden;
    if (!lost.hidden) this.keyboard(false);
    if (silent && now - Math.max(this.heard, this.tried) > RELOAD_MS) {
      this.tried = now;
      this.frame.src = `${this.origin}/console`;
    }
  }
}

const halves = [...document.querySelectorAll(".half")].map((section) => new Half(section));
const theOther = (half) => halves.find((one) => one !== half);

addEventListener("message", (event) => {
  const half = halves.find((one) => one.frame.contentWindow === event.source);
  if (!half || event.origin !== half.origin || typeof event.data !== "object") return;
  half.hear(event.data);
  if (event.data.away) theOther(half).frame.focus();
});

/* The keyboard is in neither half: to the first one that answers. */
addEventListener("keydown", (event) => {
  if (event.key !== "F2") return;
  event.preventDefault();
  const alive = halves.find((one) => !one.frame.inert);
  if (alive) alive.frame.focus();
});

for (const half of halves) half.section.querySelector("header").addEventListener("click", () => half.frame.focus());

setInterval(() => { for (const half of halves) half.look(); }, LOOK_MS);
