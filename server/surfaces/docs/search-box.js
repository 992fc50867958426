// Runs in the reader's browser, as it stands: the search over the whole documentation, and buttons that copy examples.
import MiniSearch from './minisearch.js';
import { find, openSearch } from './search.js';

const MOST_SHOWN = 12;
const EXCERPT_LENGTH = 120;

const search = document.querySelector('search');
const input = document.querySelector('#search');
const results = document.querySelector('#results');
const status = document.querySelector('#found');
let index;

search.hidden = false;
input.addEventListener('focus', () => void load());
input.addEventListener('input', show);
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, select, [contenteditable]');
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    input.focus();
  } else if (event.key === 'Escape') hide();
});
search.addEventListener('keydown', (event) => {
  const links = [input, ...results.querySelectorAll('a')];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Enter' && event.target === input) links[1]?.click();
  if (!step) return;
  event.preventDefault();
  links[(links.indexOf(document.activeElement) + step + links.length) % links.length].focus();
});
document.addEventListener('click', (event) => search.contains(event.target) || hide());

function load() {
  index ??= fetch('/docs/search.json').then(async (answer) => openSearch(MiniSearch, await answer.json()));
  return index;
}

async function show() {
  const query = input.value.trim();
  if (query.length < 2) return hide();
  const found = find(await load(), query);
  if (query !== input.value.trim()) return;
  results.replaceChildren(...found.slice(0, MOST_SHOWN).map(toItem));
  results.hidden = found.length === 0;
  status.textContent = found.length === 1 ? '1 result' : `${found.length} results`;
}

function hide() {
  results.hidden = true;
  status.textContent = '';
}

function toItem({ id, title, heading, text, terms }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  const name = document.createElement('b');
  const excerpt = document.createElement('span');
  link.href = id;
  name.textContent = title === heading ? title : `${title}: ${heading}`;
  excerpt.textContent = excerptOf(text, terms);
  link.append(name, excerpt);
  link.addEventListener('click', hide);
  item.append(link);
  return item;
}

function excerptOf(text, terms) {
  const places = terms.map((term) => text.toLowerCase().indexOf(term)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - 40);
  const from = places.length === 0 ? 0 : start;
  return `${from > 0 ? '…' : ''}${text.slice(from, from + EXCERPT_LENGTH)}${text.length > from + EXCERPT_LENGTH ? '…' : ''}`;
}

// Whoever chose a language once reads every sample in it.
const languages = [...document.querySelectorAll('.samples input')];
choose(localStorage.getItem('language'));
for (const input of languages) {
  input.addEventListener('change', () => {
    localStorage.setItem('language', input.value);
    choose(input.value);
  });
}

function choose(language) {
  for (const input of languages) if (input.value === language) input.checked = true;
}

for (const figure of document.querySelectorAll('figure')) {
  const button = document.createElement('button');
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(figure.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  figure.append(button);
}
