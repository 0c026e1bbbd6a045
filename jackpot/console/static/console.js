"use strict";
/* The console's helper: live refresh with its own look at the heartbeat, keys, number pads, cards.
   It decides nothing, but a page that lost the controller must not act: its keys are dead, and the
   controller refuses a form that no fresh heartbeat stands behind. */

const STALE_MS = 2000;
const LOOK_MS = 200;
const RETRY_MS = [250, 500, 1000, 2000];
const HAND_SIZE = 5;
const ARM_MS = 800;        // a key that is new, or has moved, is dead for so long: the second tap of a double one
const MOVED_PX = 12;       // a finger does not notice less
const HOLD_MS = 600;       // «Sin premios» is held, not tapped
const TOLD_MS = 10000;     // a refusal stays until the next key, or for so long
const ANSWER_MS = 2000;    // an unanswered request is given up; a PIN takes the controller a while
const PIN_ANSWER_MS = 4000;
const LOOK_ANSWER_MS = 10000;
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
let beatToken = "";        // the newest heartbeat, as the controller named it; each form carries it

const stale = () => at("offline") !== null && performance.now() - lastBeat > STALE_MS;

function refresh() {
  if (!body.classList.contains("live")) return;
  if (!loaded || posting > 0 || refreshing) { refreshWanted = true; return; }
  refreshWanted = false;
  htmx.trigger("#panel", "refresh");
}

/* Before that nobody would hear a question for the panel. This script is deferred, so it comes yet. */
let loaded = false;
addEventListener("DOMContentLoaded", () => { loaded = true; if (refreshWanted) refresh(); });

function open() {
  if (source) source.close();
  source = new EventSource("/console/events");
  retryAt = performance.now() + STALE_MS + RETRY_MS[Math.min(tries, RETRY_MS.length - 1)];
  tries += 1;
  source.addEventListener("state", (event) => {
    const picture = JSON.parse(event.data);
    if (picture.instance !== body.dataset.instance) { location.assign("/console"); return; }
    beat(picture.beat);
    refresh();
  });
  source.addEventListener("beat", (event) => beat(event.data));
  source.addEventListener("gone", () => location.assign("/login"));
  source.onerror = async () => {
    source.close();
    retryAt = performance.now() + RETRY_MS[Math.min(tries, RETRY_MS.length - 1)];
    const answer = await fetch("/console/panel").catch(() => null);
    if (answer && (answer.status === 401 || answer.redirected)) location.assign("/login");
  };
}

function beat(token) {
  beatToken = token;
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
  setOffline(stale());
  if ((stale() || source.readyState === EventSource.CLOSED) && now > retryAt) open();
}

if (at("offline")) {
  open();
  setInterval(look, LOOK_MS);
}

addEventListener("formdata", (event) => { if (beatToken) event.formData.set("beat", beatToken); });

/* One question for the panel at a time; what changes meanwhile is asked for right afterwards. */
const isAct = (event) => event.detail.requestConfig.path.startsWith("/console/act/");
const isPanel = (event) => event.detail.requestConfig.path === "/console/panel";
body.addEventListener("htmx:configRequest", (event) => {
  const { elt, path } = event.detail;
  if (!path.startsWith("/console/act/")) event.detail.timeout = LOOK_ANSWER_MS;
  else event.detail.timeout = elt.querySelector("[name=pin]") ? PIN_ANSWER_MS : ANSWER_MS;
});
body.addEventListener("htmx:beforeRequest", (event) => {
  if (isAct(event)) { posting += 1; told = null; }
  if (isPanel(event)) refreshing = true;
});
body.addEventListener("htmx:afterRequest", (event) => {
  if (isAct(event)) posting -= 1;
  if (isPanel(event)) refreshing = false;
  if (refreshWanted) setTimeout(refresh, 0);
});

for (const failed of ["htmx:timeout", "htmx:sendError"]) {
  body.addEventListener(failed, () => setTimeout(refresh, RETRY_MS[0]));
}

/* ---- a form is sent once ---- */

addEventListener("submit", (event) => {
  const form = event.target;
  if (form.hasAttribute("hx-post") || form.target) return;  // a slip opens beside the console
  if (form.dataset.sent) { event.preventDefault(); return; }
  form.dataset.sent = "yes";
  leaving = true;
  setTimeout(() => { for (const key of form.querySelectorAll("button[type=submit], button:not([type])")) key.disabled = true; }, 0);
  setTimeout(giveUp, PIN_ANSWER_MS);
});

/* The page anew, by its own address; never the same post again. */
function giveUp() {
  stop();
  const posted = /\/(act|entry|declare|take-over|hand-back)/.test(location.pathname);
  location.assign(posted ? "/console" : location.pathname);
}
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

/* ---- number pads ---- */

let lastField = null;
addEventListener("focusin", (event) => { if (isText(event.target)) lastField = event.target; });

const isText = (field) => field instanceof HTMLInputElement && ["text", "password", "date"].includes(field.type);

addEventListener("click", (event) => {
  const known = event.target.closest("[data-fill]");
  if (known) {
    at(known.dataset.fill).value = known.value;
    document.querySelector("input[name=pin]").focus();
    return;
  }
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
  const room = at("panel") || document;  // not the bar on top: nobody walks there in a hurry
  const all = [...room.querySelectorAll("a.key, button, input:not([type=hidden]), summary")]
    .filter((e) => !e.disabled && e.tabIndex >= 0 && e.offsetParent !== null);
  const here = all.indexOf(document.activeElement);
  const next = all[(here + step + all.length) % all.length];
  if (next) next.focus();
}

/* Once a key was pressed, what is typed before the answer is there belongs to no page. */
let leaving = false;
addEventListener("click", (event) => { if (event.target.closest("a[href]")) leaving = true; });

addEventListener("keydown", (event) => {
  const unheard = leaving || posting > 0 || (stale() && !(isText(event.target) && event.key !== "Enter"));
  if (unheard) { event.preventDefault(); prefix = ""; return; }
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const target = event.target;
  if (event.key === "+") { event.preventDefault(); walk(1); return; }
  if (target.name === "pin" && (event.key === "/" || prefix)) event.preventDefault();  // no PIN has a stroke
  else if (isText(target) && event.key !== "Escape") return;
  if (event.key === "-") { event.preventDefault(); walk(-1); return; }
  if (event.repeat) { if (event.key === "Enter" || event.key === " ") event.preventDefault(); return; }
  if (target.closest("[data-hold]") && ["Enter", " "].includes(event.key)) { event.preventDefault(); startHold(target); return; }
  const choice = target instanceof HTMLInputElement && ["radio", "checkbox"].includes(target.type);
  if (choice && event.key === "Enter") { event.preventDefault(); target.click(); return; }
  if (at("entry") && cardKey(event)) { event.preventDefault(); return; }
  const name = prefix + event.key;
  prefix = event.key === "/" ? "/" : "";
  if (pick(name)) { event.preventDefault(); return; }
  const pin = pinField();
  if (pin && /^[0-9]$/.test(name)) { pin.focus(); return; }  // a PIN presses no key and picks nothing
  const key = document.querySelector(`[data-key="${CSS.escape(name)}"]`);
  if (!key || key.disabled) return;
  event.preventDefault();
  if (key.hasAttribute("data-hold")) startHold(key); else key.click();
});
addEventListener("keyup", stopHold);
addEventListener("blur", stopHold);

let prefix = "";  // «/» before the number of a key in the list of what is open

/* Beside a PIN every number has a stroke before: its digits pick nobody, whatever key was lost while the
   page came. Elsewhere a digit picks from the first list in which nothing is picked yet. */
function pick(name) {
  const room = name.startsWith("/") ? at("panel") : openList();
  const choice = room && room.querySelector(`[data-pick="${CSS.escape(name)}"]`);
  if (!choice) return false;
  choice.click();
  if (pinField()) pinField().value = "";
  toFirstField();
  return true;
}

const pinField = () => document.querySelector("#panel input[name=pin]");
const openList = () => [...document.querySelectorAll("#panel .choice")]
  .find((list) => list.querySelector("[data-pick]") && !list.querySelector(":checked"));

function toFirstField() {
  const list = openList();
  const field = list ? list.querySelector("[data-pick]") : pinField();
  if (field) field.focus();
}

/* ---- keys that are new are dead for a moment; no key acts on a page that lost the controller ---- */

let drawn = new Map();

function identity(key) {
  const form = key.form;
  const fields = form ? [...form.querySelectorAll("input[type=hidden]")].filter((f) => f.name !== "form") : [];
  const where = key.getAttribute("href") || key.getAttribute("formaction") || (form ? form.getAttribute("action") : "");
  return [where, ...fields.map((f) => `${f.name}=${f.value}`), key.name, key.value, key.dataset.key].join("|");
}

function arm() {
  const now = performance.now();
  const next = new Map();
  for (const key of document.querySelectorAll("#panel .key:is(a, button)")) {
    if (key.closest("#entry")) continue;
    const { x, y } = key.getBoundingClientRect();
    const id = identity(key);
    const old = drawn.get(id);
    const stayed = old && Math.hypot(old.x - x, old.y - y) < MOVED_PX;
    const since = stayed ? old.since : now;
    next.set(id, { since, x, y });
    if (since + ARM_MS > now) deaden(key, since + ARM_MS - now);
  }
  drawn = next;
}

function deaden(key, ms) {
  key.classList.add("arming");
  key.setAttribute("aria-disabled", "true");
  clearTimeout(key.arming);
  key.arming = setTimeout(() => { key.classList.remove("arming"); key.removeAttribute("aria-disabled"); }, ms);
}

const dead = (key) => key.classList.contains("arming") || (stale() && !key.closest(".bar"));

addEventListener("click", (event) => {
  const key = event.target.closest("a[href], button");
  if (!key || key.closest(".pad")) return;
  if (!dead(key) && !key.hasAttribute("data-hold")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
addEventListener("submit", (event) => {
  if (!stale() || event.target.closest(".bar")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

/* ---- «Sin premios» is held ---- */

let holding = null;

function startHold(key) {
  stopHold();
  if (dead(key) || key.disabled || posting > 0) return;
  key.classList.add("holding");
  holding = { key, timer: setTimeout(() => { stopHold(); if (key.isConnected && !dead(key)) key.form.requestSubmit(key); }, HOLD_MS) };
}

function stopHold() {
  if (!holding) return;
  clearTimeout(holding.timer);
  holding.key.classList.remove("holding");
  holding = null;
}

addEventListener("pointerdown", (event) => {
  const key = event.target.closest("[data-hold]");
  if (key && event.isPrimary && event.button === 0) startHold(key);
});
for (const end of ["pointerup", "pointercancel", "pointerout"]) {
  addEventListener(end, (event) => { if (event.target.closest("[data-hold]")) stopHold(); });
}
addEventListener("contextmenu", (event) => { if (event.target.closest("[data-hold]")) event.preventDefault(); });

/* ---- what a new panel keeps of the old one: a refusal, and how far its lists were scrolled ---- */

let told = null;
let phase = "";
const SCROLLED = [".evidence", ".steps", "aside"];
let scrolled = [];

body.addEventListener("htmx:beforeSwap", () => {
  scrolled = SCROLLED.map((name) => [name, (document.querySelector(`#panel ${name}`) || {}).scrollTop || 0]);
});
body.addEventListener("htmx:afterSwap", settle);

function settle() {
  const panel = at("panel");
  body.dataset.ready = "yes";
  if (!panel || at("entry")) return;
  const fresh = panel.dataset.phase !== phase;
  phase = panel.dataset.phase;
  if (!fresh) for (const [name, top] of scrolled) { const list = panel.querySelector(name); if (list) list.scrollTop = top; }
  keepTold(panel.querySelector(".told-here"));
  if (fresh && panel.querySelector(".signature")) toFirstField();
  arm();
}

function keepTold(place) {
  if (!place) return;
  const now = performance.now();
  if (place.querySelector(".refusal")) {
    told = { box: place.querySelector(".refusal"), until: now + TOLD_MS };
    setTimeout(endTold, TOLD_MS + 50);
  } else if (told && told.until > now) place.replaceChildren(told.box);
}

function endTold() {
  if (!told || told.until > performance.now()) return;
  told.box.remove();
  told = null;
  arm();
}

settle();

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
