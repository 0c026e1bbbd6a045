"use strict";
/* The visor page. It shows an amount only while the server's heart beats: a browser notices neither
   a frozen server nor, after one 503, that its EventSource is closed for good. All amounts are whole
   cents; the page never shows more than the cents that the server sent last. */

const STALE_MS = 2000;          // older than this is not sure, and not sure is not shown
const LOOK_MS = 100;            // how often the page looks at the heartbeat's age
const RETRY_MS = [250, 500, 1000, 2000];  // the last one repeats: a visor never gives up
const ROLL_MS = 1400;           // one climb of the odometer
const DRIFT_MS = 60000;         // against burn-in the picture moves a little each minute
const DRIFT_PERCENT = 0.5;      // of the screen's height
const LARGEST = 1.24;
const LEAST_BESIDE_MANY = 0.75;  // a hand with four winners or more needs the room for their sums
const DIM_AFTER_MS = 15 * 60000;

const body = document.body;
const at = (id) => document.getElementById(id);
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const [GROUP, POINT] = body.dataset.language === "en" ? [",", "."] : [".", ","];

/* ---- amounts ---- */

function centsText(cents) {
  const digits = String(cents).padStart(3, "0");
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, GROUP);
  return whole + POINT + digits.slice(-2);
}

const euros = (cents) => (cents === null ? "– – –" : centsText(cents) + "\u00a0" + body.dataset.unit);

/* ---- the odometer ---- */

const odometer = { target: null, shown: null, from: 0, start: 0, layout: "", reels: [] };

function cell(kind, text) {
  const span = document.createElement("span");
  span.className = kind;
  span.textContent = text;
  return span;
}

function reel() {
  const digit = cell("digit", "");
  const strip = cell("reel", "");
  for (const n of "01234567890") strip.append(cell("", n));
  digit.append(strip);
  return [digit, strip];
}

function build(pattern) {
  const amount = at("amount");
  amount.replaceChildren();
  odometer.reels = [];
  for (const sign of pattern) {
    if (sign === "0") {
      const [digit, strip] = reel();
      amount.append(digit);
      odometer.reels.unshift(strip);
    } else {
      amount.append(cell(sign === "-" ? "dash" : "mark", sign === "-" ? "–" : sign));
    }
  }
  amount.append(cell("unit", body.dataset.unit));
  odometer.layout = pattern;
  fit();
}

/* The digits are as large as the room allows: never above LARGEST, and below 1 only when the amount
   is too long for the screen. */
function fit() {
  const amount = at("amount");
  body.style.setProperty("--fit", "1");
  const wide = at("stage").clientWidth * 0.945 / Math.max(1, amount.scrollWidth);
  const title = document.querySelector(".jackpot h1").offsetHeight;
  const high = (amount.parentElement.clientHeight - title) / Math.max(1, amount.offsetHeight);
  const least = at("hits").hasAttribute("data-many") ? LEAST_BESIDE_MANY : 1;
  body.style.setProperty("--fit", Math.min(LARGEST, wide, Math.max(least, high)).toFixed(4));
}

/* Each reel turns with the one below it, when that one passes from nine to nought. */
function paint(value) {
  const whole = Math.floor(value);
  const pattern = centsText(whole).replace(/\d/g, "0");
  if (pattern !== odometer.layout) build(pattern);
  let turn = value - whole;
  let rest = whole;
  for (const strip of odometer.reels) {
    const digit = rest % 10;
    strip.style.transform = `translateY(${(-(digit + turn) * 0.98).toFixed(3)}em)`;
    if (digit !== 9) turn = 0;
    rest = (rest - digit) / 10;
  }
  odometer.shown = value;
}

function showAmount(cents, snaps = false) {
  if (cents === odometer.target) return;
  const amount = at("amount");
  amount.dataset.cents = cents === null ? "" : String(cents);
  amount.setAttribute("aria-label", euros(cents));
  const climbs = !snaps && cents !== null && odometer.shown !== null && cents > odometer.shown;
  odometer.target = cents;
  if (cents === null) {
    odometer.shown = null;
    build("---" + GROUP + "---" + POINT + "--");
  } else if (climbs && !calm.matches) {
    odometer.from = odometer.shown;
    odometer.start = performance.now();
    requestAnimationFrame(roll);
  } else {
    paint(cents);                // a decrease or a restart snaps
  }
}

function roll(now) {
  const { target, from, start } = odometer;
  if (target === null || odometer.shown === null || odometer.shown >= target) return;
  const t = Math.min(1, Math.max(0, now - start) / ROLL_MS);
  const value = t === 1 ? target : from + (target - from) * (1 - Math.pow(1 - t, 3));
  paint(Math.min(target, Math.max(odometer.shown, value)));
  if (t < 1) requestAnimationFrame(roll);
}

/* ---- everything else on the screen ---- */

function showHits(hits) {
  const list = at("hits");
  list.hidden = hits.length === 0;
  list.dataset.count = hits.length;
  list.toggleAttribute("data-many", hits.length > 3);
  const key = JSON.stringify(hits.map((h) => [h.box, h.hand, h.cents]));
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  list.replaceChildren(...hits.map((hit) => {
    const card = cell("hit", "");
    const name = body.getAttribute("data-" + hit.hand.replaceAll("_", "-"));
    const amount = document.createElement("b");
    amount.textContent = euros(hit.cents);
    card.append(cell("", `${body.dataset.box} ${hit.box}`), cell("", name), amount);
    return card;
  }));
  fit();
}

function show(visor) {
  showAmount(visor.amount_cents, visor.hits.length > 0);  // beside a hit, the amount is what is left, or a restart
  at("table").textContent = visor.table;
  for (const award of visor.awards) {
    const line = document.querySelector(`[data-hand="${award.hand}"] .cents`);
    if (line) line.textContent = euros(award.cents);
  }
  at("bet").textContent = euros(visor.bet_cents);
  visor.lamps.forEach((lamp, i) => {
    document.querySelector(`.lamp[data-box="${i + 1}"]`).className = "lamp " + lamp;
  });
  showHits(visor.hits);
  at("pending").hidden = !visor.pending;
  at("unlinked").hidden = !visor.unlinked;
  at("carrusel").hidden = visor.carrusel === "";
  at("last").hidden = visor.hands_left === null;
  at("hands-left").textContent = visor.hands_left === null ? "" : visor.hands_left;
  at("closed").hidden = !visor.closed;
  at("no-more").hidden = !visor.locked || visor.pending || visor.hits.length > 0;
  body.classList.toggle("shut-down", visor.closed);
  body.classList.remove("unsure");
}

function unsure() {
  if (body.classList.contains("unsure") && odometer.target === null && odometer.layout) return;
  body.classList.add("unsure");
  showAmount(null);
  if (!odometer.layout) build("---" + GROUP + "---" + POINT + "--");
  for (const line of document.querySelectorAll(".awards .cents")) line.textContent = euros(null);
  for (const lamp of document.querySelectorAll(".lamp")) lamp.className = "lamp unknown";
  showHits([]);
  for (const badge of ["pending", "no-more", "unlinked"]) at(badge).hidden = true;
}

/* ---- the line to the server ---- */

let source = null;
let lastBeat = -Infinity;
let tries = 0;
let retryAt = 0;
let latest = null;
let lastChange = performance.now();

function beat() {
  lastBeat = performance.now();
  tries = 0;
  if (latest !== null && body.classList.contains("unsure")) show(latest);
}

function open() {
  if (source) source.close();
  source = new EventSource("/visor/events");
  retryAt = performance.now() + STALE_MS + RETRY_MS[Math.min(tries, RETRY_MS.length - 1)];
  tries += 1;
  latest = null;                 // a new line must tell everything anew before anything is shown
  source.addEventListener("state", (event) => {
    const picture = JSON.parse(event.data);
    if (picture.instance !== body.dataset.instance) { reload(); return; }
    latest = picture.visor;
    lastChange = performance.now();
    beat();
    show(latest);
  });
  source.addEventListener("beat", beat);
  source.onerror = () => {
    source.close();
    retryAt = performance.now() + RETRY_MS[Math.min(tries, RETRY_MS.length - 1)];
  };
}

let reloading = false;
async function reload() {       // another server: take its page too, once it surely answers
  if (reloading) return;
  reloading = true;
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    if (answer.ok) location.reload();
  } finally {
    setTimeout(() => { reloading = false; }, RETRY_MS.at(-1));
  }
}

function look() {
  const now = performance.now();
  const stale = now - lastBeat > STALE_MS;
  if (stale) unsure();
  if (stale && now > retryAt) open();
  else if (source.readyState === EventSource.CLOSED && now > retryAt) open();
  body.classList.toggle("dim", now - lastChange > DIM_AFTER_MS);
}

function drift() {
  const minute = Math.floor(performance.now() / DRIFT_MS);
  const far = innerHeight * DRIFT_PERCENT / 100;
  const x = Math.round(far * Math.sin(minute * 0.7));
  const y = Math.round(far * Math.sin(minute * 0.45));
  at("stage").style.transform = `translate(${x}px, ${y}px)`;
}

addEventListener("resize", fit);
document.fonts.ready.then(fit);
unsure();
open();
drift();
setInterval(look, LOOK_MS);
setInterval(drift, DRIFT_MS);
