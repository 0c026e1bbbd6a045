// Two small helps; every page works without them. The state of the check is asked for until it is
// known, and keys step through hands and moments.
"use strict";

const ASK_EVERY_MS = 700;

const place = document.body.dataset.status;

async function ask() {
  try {
    const answer = await fetch(place);
    const status = await answer.json();
    for (const verdict of status.verdicts) {
      const card = document.querySelector(`[data-verdict=${verdict.name}]`);
      if (!card) continue;
      if (!card.classList.contains(verdict.state)) return location.reload();
      const percent = card.querySelector(".percent");
      if (percent) percent.textContent = verdict.percent;
      const bar = card.querySelector("progress");
      if (bar) bar.value = verdict.percent;
    }
    if (status.finished) return location.reload();
  } catch (error) {
    return undefined; // the program was ended: what is on the screen stays
  }
  return setTimeout(ask, ASK_EVERY_MS);
}

if (place) setTimeout(ask, ASK_EVERY_MS);

document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey) return;
  if (event.key === "/") {
    event.preventDefault();
    document.getElementById("find").focus();
  }
  const link = document.querySelector(`a[data-key=${CSS.escape(event.key)}]`);
  if (link) {
    event.preventDefault();
    link.click();
  }
});
