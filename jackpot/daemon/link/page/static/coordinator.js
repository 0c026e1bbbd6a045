"use strict";
/* The coordinator's page: when the server says that something changed, the panel is asked for anew.
   Without a word for two seconds the page says that it is old. */

const STALE_MS = 2000;
const panel = document.getElementById("panel");
let lastWord = performance.now();
let asking = false;
let again = false;

async function refresh() {
  if (asking) { again = true; return; }
  asking = true;
  try {
    const answer = await fetch("/panel", { cache: "no-store" });
    if (answer.ok) {
      const open = new Set([...panel.querySelectorAll("details[open]")].map((d) => d.dataset.decision));
      const known = new Set([...panel.querySelectorAll("details")].map((d) => d.dataset.decision));
      panel.innerHTML = await answer.text();
      for (const one of panel.querySelectorAll("details")) {
        if (known.has(one.dataset.decision)) one.open = open.has(one.dataset.decision);
      }
    }
  } catch { /* the next word asks again */ } finally {
    asking = false;
    if (again) { again = false; setTimeout(refresh, 250); }
  }
}

function listen() {
  const source = new EventSource("/events");
  const word = () => { lastWord = performance.now(); panel.style.opacity = "1"; };
  source.addEventListener("state", () => { word(); refresh(); });
  source.addEventListener("beat", word);
  source.onerror = () => { source.close(); setTimeout(listen, 1000); };
}

setInterval(() => { if (performance.now() - lastWord > STALE_MS) panel.style.opacity = "0.4"; }, 250);
listen();
