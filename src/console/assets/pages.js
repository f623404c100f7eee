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
  for (const input of part.querySelectorAll('[data-names]')) offerNames(input);
}

/** Letters typed within this time are one request. */
const TYPING_MS = 150;

/** Offers names of records below a box: the combobox pattern of WAI-ARIA. Each leads to its page, or fills a box that takes names. */
function offerNames(input) {
  const list = document.createElement('div');
  const set = (element, attributes) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  };
  let active = -1;
  let typing;
  const activate = (place) => {
    list.children[active]?.setAttribute('aria-selected', 'false');
    active = place;
    list.children[active]?.setAttribute('aria-selected', 'true');
    list.children[active]?.scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', list.children[active]?.id ?? '');
  };
  const show = (names) => {
    clearTimeout(typing);
    list.replaceChildren(
      ...names.map(({ name, kind, path }, place) => {
        const option = document.createElement('a');
        set(option, { id: `${list.id}-${place}`, role: 'option', href: path, tabindex: -1, 'aria-selected': false });
        option.append(
          ...[name, kind].map((text) => Object.assign(document.createElement('span'), { textContent: text })),
        );
        return option;
      }),
    );
    activate(-1);
    list.hidden = names.length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
  };
  const ask = async () => {
    const typed = input.value;
    const response = await fetch(`${input.dataset.names}?${new URLSearchParams({ query: typed })}`).catch(
      () => undefined,
    );
    const names = response?.ok ? await response.json() : [];
    if (typed === input.value && document.activeElement === input) show(names);
  };
  list.id = `${input.id}-names`;
  list.className = 'offered-names';
  set(list, { role: 'listbox', 'aria-label': 'Records of this name' });
  set(input, { role: 'combobox', 'aria-autocomplete': 'list', 'aria-controls': list.id });
  input.after(list);
  show([]);
  input.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(ask, TYPING_MS);
  });
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const places = list.children.length + 1;
    if (list.hidden || event.isComposing) return;
    // One place more than names: the text itself.
    if (step !== undefined) activate(((active + 1 + step + places) % places) - 1);
    else if (event.key === 'Escape') show([]);
    else if (event.key === 'Enter' && active >= 0) list.children[active].click();
    else return;
    event.preventDefault();
  });
  input.addEventListener('blur', () => show([]));
  // The box keeps the focus until a name is clicked.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    if (!('takesName' in input.dataset)) return;
    event.preventDefault();
    input.value = event.target.closest('a').firstChild.textContent;
    show([]);
  });
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
