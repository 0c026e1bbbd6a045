"use strict";
/* The floor of a demonstration: the prize, and each table's visor as that table shows it. */

const STALE_MS = 2000;
const HANDS = { royal_flush: "Escalera Real", straight_flush: "Escalera de Color", four_of_a_kind: "Póker" };
const tables = document.getElementById("tables");
const template = document.getElementById("table");
let lastWord = -Infinity;

function euros(cents) {
  if (cents === null) return "– – –";
  const digits = String(cents).padStart(3, "0");
  return digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ".") + "," + digits.slice(-2) + "\u00a0€";
}

function card(number, url) {
  let found = tables.querySelector(`[data-table="${number}"]`);
  if (found) return found;
  found = template.content.firstElementChild.cloneNode(true);
  found.dataset.table = number;
  found.querySelector(".number").textContent = number;
  found.querySelector(".screens").href = url;
  found.querySelector(".console").href = url + "console";
  for (let box = 1; box <= 7; box += 1) {
    const lamp = document.createElement("span");
    lamp.textContent = box;
    found.querySelector(".lamps").append(lamp);
  }
  tables.append(found);
  return found;
}

function show(picture) {
  document.getElementById("total").textContent = euros(picture.total_cents);
  document.getElementById("decisions").textContent =
    picture.decisions ? `${picture.decisions} premios decididos` : "";
  for (const { url, visor } of picture.tables) {
    const at = card(visor.table, url);
    at.classList.toggle("unsure", visor.amount_cents === null);
    at.querySelector(".amount").textContent = euros(visor.amount_cents);
    at.querySelector(".amount").dataset.cents = visor.amount_cents === null ? "" : visor.amount_cents;
    at.querySelector(".pending").hidden = !visor.pending;
    at.querySelector(".no-more").hidden = !visor.locked || visor.pending || visor.hits.length > 0;
    at.querySelector(".unlinked").hidden = !visor.unlinked;
    at.querySelector(".closed").hidden = !visor.closed;
    at.querySelector(".hits").textContent = visor.hits
      .map((hit) => `Casilla ${hit.box}: ${HANDS[hit.hand]}, ${euros(hit.cents)}`).join(" · ");
    visor.lamps.forEach((lamp, i) => { at.querySelectorAll(".lamps span")[i].className = lamp; });
  }
}

function unsure() {
  document.getElementById("total").textContent = euros(null);
  for (const amount of document.querySelectorAll(".amount")) amount.textContent = euros(null);
}

function listen() {
  const source = new EventSource("/events");
  const word = (event) => { lastWord = performance.now(); show(JSON.parse(event.data)); };
  source.addEventListener("state", word);
  source.addEventListener("beat", word);
  source.onerror = () => { source.close(); setTimeout(listen, 500); };
}

setInterval(() => { if (performance.now() - lastWord > STALE_MS) unsure(); }, 100);
listen();
