/** The page of the shell simulator: shows the messages of the app in the frame, and changes replies and settings. */
const app = document.querySelector("#app");
const log = document.querySelector("#log");
const error = document.querySelector("#error");
const settingsForm = document.querySelector("#settings");
const repliesForm = document.querySelector("#replies");
const messageForm = document.querySelector("#message");
const SETTINGS = "shell-simulator";

const settings = JSON.parse(localStorage.getItem(SETTINGS) ?? "{}");
const store = (changes) => {
  Object.assign(settings, changes);
  localStorage.setItem(SETTINGS, JSON.stringify(settings));
};

/** Parses JSON; undefined with a message on the page if it is invalid. */
function parse(text) {
  error.textContent = "";
  try {
    return JSON.parse(text);
  } catch (cause) {
    error.textContent = `Not JSON: ${cause.message}`;
    return undefined;
  }
}

function show({ direction, eventName, detail, at }) {
  const entry = document.createElement("li");
  entry.dataset.direction = direction;
  entry.textContent = `${at.slice(11, 23)} ${direction === "sent" ? "app →" : "← shell"} ${eventName} ${JSON.stringify(detail)}`;
  log.append(entry);
  entry.scrollIntoView({ block: "nearest" });
}

function showReplies({ replies }) {
  repliesForm.replaceChildren();
  for (const [name, reply] of Object.entries(replies)) {
    if (typeof reply === "function") continue;
    const label = document.createElement("label");
    const field = document.createElement("textarea");
    field.rows = 2;
    field.spellcheck = false;
    field.value = reply === null ? "" : JSON.stringify(reply);
    field.addEventListener("change", () => {
      const value = field.value.trim() === "" ? null : parse(field.value);
      if (value === undefined) return;
      replies[name] = value;
      store({ replies: { ...settings.replies, [name]: value } });
    });
    label.append(name, field);
    repliesForm.append(label);
  }
}

/** Each page of the app has a new shell. */
function attach() {
  const { shellPlayer } = app.contentWindow;
  if (!shellPlayer) return;
  for (const message of shellPlayer.messages) show(message);
  app.contentWindow.addEventListener("shell-simulator", ({ detail }) => show(detail));
  showReplies(shellPlayer);
}

for (const name of ["transport", "device", "version"]) {
  if (settings[name]) settingsForm.elements[name].value = settings[name];
}
settingsForm.addEventListener("submit", (event) => {
  event.preventDefault();
  store(Object.fromEntries(new FormData(settingsForm)));
  app.contentWindow.location.reload();
});
messageForm.addEventListener("submit", (event) => {
  event.preventDefault();
  const { eventName, detail } = Object.fromEntries(new FormData(messageForm));
  const parsed = parse(detail);
  if (parsed !== undefined) app.contentWindow.shellPlayer.send(eventName, parsed);
});
document.querySelector("#clear").addEventListener("click", () => log.replaceChildren());
app.addEventListener("load", attach);
if (app.contentDocument.readyState === "complete") attach();
