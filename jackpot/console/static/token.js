"use strict";
/* Security keys (WebAuthn): the second signature of a form, and registering one. What is asked comes
   from the controller, which checks the answer; this script only carries it to the browser and back. */

const ofAct = (form) => form.getAttribute("action").match(/^\/console\/(?:act|pit)\/([a-z-]+)/)[1];

async function asked(path, form) {
  const answer = await fetch(path, { method: "POST", body: new URLSearchParams(new FormData(form)) });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.text);
  return said.publicKey;
}

/* The hidden field and the message stand beside the key; a panel drawn anew keeps all three. */
async function withToken(key, ceremony) {
  const told = key.parentElement.querySelector("[data-token-told]");
  const field = key.parentElement.querySelector("[name=token]");
  told.hidden = true;
  key.disabled = true;
  try {
    field.value = JSON.stringify(await ceremony());
  } catch (error) {
    told.textContent = error instanceof DOMException || !error.message ? key.dataset.failed : error.message;
    told.hidden = false;
    return;
  } finally {
    key.disabled = false;
  }
  const pin = key.dataset.token === undefined ? null : key.form.querySelector("[name=pin]");
  if (pin) pin.required = false;
  key.form.requestSubmit(key.form.querySelector("button[type=submit].main"));
  if (pin) pin.required = true;
  setTimeout(() => { field.value = ""; }, 0);  // the answer counts once
}

async function sign(form) {
  const options = await asked(`/console/token/question/${ofAct(form)}`, form);
  const parsed = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return (await navigator.credentials.get({ publicKey: parsed })).toJSON();
}

async function register(form) {
  const options = await asked("/console/token/new", form);
  const parsed = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return (await navigator.credentials.create({ publicKey: parsed })).toJSON();
}

addEventListener("click", (event) => {
  const key = event.target.closest("[data-token], [data-new-token]");
  if (!key) return;
  if (key.dataset.newToken !== undefined) {
    if (key.form.reportValidity()) withToken(key, () => register(key.form));
    return;
  }
  const holders = key.dataset.holders.split(" ");
  const options = [...key.form.querySelectorAll("[name=signer]")];
  if (holders.length === 1 && !options.some((one) => one.checked)) {
    options.find((one) => one.value === holders[0]).checked = true;
  }
  const pin = key.form.querySelector("[name=pin]");
  pin.required = false;
  const whole = key.form.reportValidity();
  pin.required = true;
  if (whole) withToken(key, () => sign(key.form));
});

/* Keys belong to a name: no browser has any for an address of numbers. */
const named = !/^[\d.]+$|:/.test(location.hostname);
if (named && window.PublicKeyCredential && PublicKeyCredential.parseRequestOptionsFromJSON) document.documentElement.classList.add("tokens");
