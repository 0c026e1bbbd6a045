"use strict";
/* The console's helper: live refresh with its own look at the heartbeat, keys, number pads, cards.
   It decides nothing: every form works without it. */

const STALE_MS = 2000;
const LOOK_MS = 200;
const RETRY_MS = [250, 500, 1000, 2000];
const HAND_SIZE = 5;
const body = document.body;
const at = (id) => document.getElementById(id);

/* ---- live ---- */

let source = null;
let lastBeat = performance.now();
let tries = 0;
let retryAt = 0;
let posting = 0;
let refreshing = false;
let refreshWanted = false;

function refresh() {
  if (!body.classList.contains("live")) return;
  if (posting > 0 || refreshing) { refreshWanted = true; return; }
  refreshWanted = false;
  htmx.trigger("#panel", "refresh");
}

function open() {
  if (source) source.close();
  source = new EventSource("/console/events");
  retryAt = performance.now() + STALE_MS + RETRY_MS[Math.min(tries, RETRY_MS.length - 1)];
  tries += 1;
  source.addEventListener("state", (event) => {
    if (JSON.parse(event.data).instance !== body.dataset.instance) { location.assign("/console"); return; }
    beat();
    refresh();
  });
  source.addEventListener("beat", beat);
  source.addEventListener("gone", () => location.assign("/login"));
  source.onerror = async () => {
    source.close();
    retryAt = performance.now() + RETRY_MS[Math.min(tries, RETRY_MS.length - 1)];
    const answer = await fetch("/console/panel").catch(() => null);
    if (answer && (answer.status === 401 || answer.redirected)) location.assign("/login");
  };
}

function beat() {
  lastBeat = performance.now();
  tries = 0;
  setOffline(false);
}

function setOffline(offline) {
  at("offline").hidden = !offline;
  body.classList.toggle("stale", offline);
}

function look() {
  const now = performance.now();
  const stale = now - lastBeat > STALE_MS;
  setOffline(stale);
  if ((stale || source.readyState === EventSource.CLOSED) && now > retryAt) open();
}

if (at("offline")) {
  open();
  setInterval(look, LOOK_MS);
}

/* One question for the panel at a time; what changes meanwhile is asked for right afterwards. */
const isAct = (event) => event.detail.requestConfig.path.startsWith("/console/act/");
const isPanel = (event) => event.detail.requestConfig.path === "/console/panel";
body.addEventListener("htmx:beforeRequest", (event) => {
  if (isAct(event)) posting += 1;
  if (isPanel(event)) refreshing = true;
});
body.addEventListener("htmx:afterRequest", (event) => {
  if (isAct(event)) posting -= 1;
  if (isPanel(event)) refreshing = false;
  if (refreshWanted) setTimeout(refresh, 0);
});

/* ---- a form is sent once ---- */

addEventListener("submit", (event) => {
  const form = event.target;
  if (form.hasAttribute("hx-post")) return;
  if (form.dataset.sent) { event.preventDefault(); return; }
  form.dataset.sent = "yes";
  leaving = true;
  setTimeout(() => { for (const key of form.querySelectorAll("button[type=submit], button:not([type])")) key.disabled = true; }, 0);
});
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

/* ---- number pads ---- */

let lastField = null;
addEventListener("focusin", (event) => { if (isText(event.target)) lastField = event.target; });

const isText = (field) => field instanceof HTMLInputElement && ["text", "password", "date"].includes(field.type);

addEventListener("click", (event) => {
  const key = event.target.closest(".pad button");
  if (!key) return;
  const name = key.closest(".pad").dataset.pad;
  const field = name === "focused" ? lastField : at(name);
  if (!field) return;
  if (key.dataset.digit !== undefined) field.value = (field.value + key.dataset.digit).slice(0, field.maxLength);
  else if (key.hasAttribute("data-erase")) field.value = field.value.slice(0, -1);
  else field.value = "";
  field.focus();
});

/* ---- keys: digits press what they are printed on; + and - walk; Enter presses ---- */

function walk(step) {
  const all = [...document.querySelectorAll("a.key, button, input:not([type=hidden]), summary")]
    .filter((e) => !e.disabled && e.tabIndex >= 0 && e.offsetParent !== null);
  const here = all.indexOf(document.activeElement);
  const next = all[(here + step + all.length) % all.length];
  if (next) next.focus();
}

/* Once a key was pressed, what is typed before the answer is there belongs to no page. */
let leaving = false;
addEventListener("click", (event) => { if (event.target.closest("a[href]")) leaving = true; });

addEventListener("keydown", (event) => {
  if (leaving || posting > 0) { event.preventDefault(); return; }
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const target = event.target;
  if (event.key === "+") { event.preventDefault(); walk(1); return; }
  if (isText(target) && event.key !== "Escape") return;
  if (event.key === "-") { event.preventDefault(); walk(-1); return; }
  if (event.repeat) { if (event.key === "Enter") event.preventDefault(); return; }
  const choice = target instanceof HTMLInputElement && ["radio", "checkbox"].includes(target.type);
  if (choice && event.key === "Enter") { event.preventDefault(); target.click(); return; }
  if (at("entry") && cardKey(event)) { event.preventDefault(); return; }
  const pin = document.querySelector("input[name=pin]");
  if (pin && /^[0-9]$/.test(event.key)) { pin.focus(); return; }  // a PIN never presses keys
  const key = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (key && !key.disabled) { event.preventDefault(); key.click(); }
});

/* ---- the award entry ---- */

const RANKS = { 0: "T", 1: "A", "/": "J", "*": "Q", ",": "K", ".": "K", a: "A", k: "K", q: "Q", j: "J" };
for (const n of "23456789") RANKS[n] = n;
const SUITS = { 1: "s", 2: "h", 3: "d", 4: "c" };
const letters = at("entry") ? at("entry").dataset.suits.split(",") : [];
letters.forEach((letter, i) => { SUITS[letter] = "shdc"[i]; });
let rank = "";

const picked = () => [...document.querySelectorAll("#entry [name=card]:checked")];
const placed = () => document.querySelector("#entry [name=place]:checked");

function cardKey(event) {
  const key = event.key.toLowerCase();
  if (key === "backspace") {
    if (rank) rank = "";
    else { const last = picked().at(-1); if (last) last.click(); }
    tell();
    return true;
  }
  if (!document.querySelector("#entry [name=place]")) return false;
  if (!placed()) {
    const box = document.querySelector(`#entry [name=place][data-box="${CSS.escape(key)}"]`);
    if (box) box.click();
    return Boolean(box);
  }
  if (picked().length === HAND_SIZE) return false;
  if (!rank) {
    if (!(key in RANKS)) return false;
    rank = RANKS[key];
    tell();
    return true;
  }
  if (!(key in SUITS)) return false;
  const card = document.querySelector(`#entry [name=card][value="${rank}${SUITS[key]}"]`);
  rank = "";
  if (card && !card.disabled && !card.checked) card.click();
  tell();
  return true;
}

function tell() {
  at("typed").textContent = rank ? `${rank === "T" ? "10" : rank} …` : "";
  at("picked").textContent = `${picked().length} / ${HAND_SIZE}`;
}

if (at("entry")) {
  addEventListener("click", (event) => {
    const card = event.target;
    if (card.name === "card" && card.checked && picked().length > HAND_SIZE) event.preventDefault();
  });
  at("entry").addEventListener("change", () => { tell(); htmx.trigger("#asks", "preview"); });
  body.addEventListener("htmx:afterSettle", () => {
    const declare = at("declare");
    if (declare && placed() && picked().length === HAND_SIZE) declare.focus();
  });
  if (at("picked")) tell();
}
