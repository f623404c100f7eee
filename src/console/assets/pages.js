/* What pages do better where scripts run. Without it all of them work. */

/** The theme that the reader chose, before anything is drawn; without a choice it is the system's. */
const THEMES = ['system', 'light', 'dark'];
const root = document.documentElement;

function applyTheme(theme) {
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  else delete root.dataset.theme;
}

applyTheme(localStorage.getItem('theme'));
root.classList.add('scripted');

/** Goes through the themes, and keeps the choice for all pages. */
function switchTheme(button) {
  const label = () => {
    button.textContent = `Theme: ${root.dataset.theme ?? 'automatic'}`;
  };
  button.hidden = false;
  label();
  button.addEventListener('click', () => {
    const next = THEMES[(THEMES.indexOf(root.dataset.theme ?? 'system') + 1) % THEMES.length];
    localStorage.setItem('theme', next);
    applyTheme(next);
    label();
  });
}

/** A slash leads to the search, unless somebody is typing. */
function focusSearch(event) {
  const isTyping = event.target.closest('input, textarea, select, [contenteditable]') !== null;
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  const search = document.querySelector('input[type="search"]');
  if (search === null) return;
  event.preventDefault();
  search.focus();
  search.select();
}

/** A choice submits its form, also in parts that were loaded later. */
function submitChoice({ target }) {
  if (target.matches('[data-submit]')) target.form.requestSubmit();
}

function setUp(part) {
  for (const button of part.querySelectorAll('[data-copy], [data-copy-from]')) showCopy(button);
  for (const button of part.querySelectorAll('[data-theme-switch]')) switchTheme(button);
  for (const input of part.querySelectorAll('[data-confirm]')) guard(input);
  for (const time of part.querySelectorAll('time[data-local]')) showLocal(time);
}

function showCopy(button) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const { copy, copyFrom } = button.dataset;
    const text = copy ? document.getElementById(copy).textContent : await (await fetch(copyFrom)).text();
    const label = button.firstChild;
    const before = label.textContent;
    try {
      await navigator.clipboard.writeText(text);
      label.textContent = 'Copied';
    } catch {
      if (copy) getSelection().selectAllChildren(document.getElementById(copy));
      label.textContent = copy ? 'Press Ctrl+C' : 'Not copied';
    }
    setTimeout(() => {
      label.textContent = before;
    }, 2000);
  });
}

/** A dangerous button wakes up when the name is typed. */
function guard(input) {
  const button = input.form.querySelector('button[type="submit"]');
  const check = () => {
    button.disabled = input.value.trim() !== input.dataset.confirm;
  };
  input.addEventListener('input', check);
  check();
}

/** The page says UTC; the reader's own time stands in the title. */
function showLocal(time) {
  time.title = `${new Date(time.dateTime).toLocaleString()} your time`;
}

/** A secret does not stay behind when the page is left. */
addEventListener('pagehide', () => {
  for (const id of ['secret', 'curl', 'mcp', 'invitation']) document.getElementById(id)?.replaceChildren();
});

/** On a narrow page the menu is closed at first; on a wide one, also where a window grows, it is open and cannot be closed. */
function setMenu() {
  const narrow = matchMedia('(max-width: 52rem)');
  const set = () => document.querySelector('details.menu')?.toggleAttribute('open', !narrow.matches);
  set();
  narrow.addEventListener('change', set);
}

addEventListener('DOMContentLoaded', () => {
  setMenu();
  setUp(document);
});
addEventListener('keydown', focusSearch);
addEventListener('change', submitChoice);
document.addEventListener('htmx:after:swap', () => {
  for (const time of document.querySelectorAll('time[data-local]')) showLocal(time);
});
