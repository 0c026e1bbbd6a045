"use strict";
/* The carrusel's visor. It shows an amount only while the coordinator's heart beats, and never more
   than the cents that it sent last. */

const STALE_MS = 2000;
const body = document.body;
const at = (id) => document.getElementById(id);
const [GROUP, POINT] = body.dataset.language === "en" ? [",", "."] : [".", ","];
const DASHES = "– – –";
let lastWord = -Infinity;

function euros(cents) {
  if (cents === null) return DASHES;
  const digits = String(cents).padStart(3, "0");
  return digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, GROUP) + POINT + digits.slice(-2) + "\u00a0€";
}

function show(cents, pending) {
  const text = euros(cents);
  const amount = at("amount");
  amount.textContent = text;
  amount.setAttribute("aria-label", text);
  amount.dataset.cents = cents === null ? "" : String(cents);
  at("pending").hidden = !pending;
  body.classList.toggle("unsure", cents === null);
}

function listen() {
  const source = new EventSource("/visor/events");
  const word = (event) => {
    lastWord = performance.now();
    const shown = JSON.parse(event.data);
    show(shown.total_cents, shown.pending);
  };
  source.addEventListener("state", word);
  source.addEventListener("beat", word);
  source.onerror = () => { source.close(); setTimeout(listen, 500); };
}

setInterval(() => { if (performance.now() - lastWord > STALE_MS) show(null, false); }, 100);
listen();
