import { foldText } from '#contract/fold-text.ts';

const BEFORE = 40;

/** A part of a text; found, if it is one of the words that were sought. */
export interface Part {
  text: string;
  isFound: boolean;
}

/**
 * Divides a text at the words that a search found in it. A long one begins with `…` shortly before the first of them: two lines
 * from its start might not reach it.
 */
export function markWords(text: string, words: string): Part[] {
  const places = findWords(text, words);
  const parts: Part[] = [];
  let at = startBefore(text, places[0]?.from ?? 0);
  if (at > 0) parts.push({ text: '… ', isFound: false });
  for (const { from, to } of places) {
    if (from > at) parts.push({ text: text.slice(at, from), isFound: false });
    parts.push({ text: text.slice(Math.max(at, from), to), isFound: true });
    at = to;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isFound: false });
  return parts;
}

function startBefore(text: string, place: number): number {
  if (place <= 2 * BEFORE) return 0;
  return Math.min(text.indexOf(' ', place - BEFORE) + 1 || place, place);
}

interface Place {
  from: number;
  to: number;
}

/** In order, without overlaps. */
function findWords(text: string, words: string): Place[] {
  const { folded, starts } = foldByCharacter(text);
  const sought = foldText(words).split(/\s+/u).filter(Boolean);
  const places = sought.flatMap((word) => {
    const found: Place[] = [];
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length))
      found.push({ from: starts[at] as number, to: starts[at + word.length] as number });
    return found;
  });
  const merged: Place[] = [];
  for (const place of places.sort((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last && place.from <= last.to) last.to = Math.max(last.to, place.to);
    else merged.push(place);
  }
  return merged;
}

/** The folded text, with where in the text each of its units, and its end, comes from. */
function foldByCharacter(text: string): { folded: string; starts: number[] } {
  const starts: number[] = [];
  let folded = '';
  let at = 0;
  for (const character of text) {
    const unit = foldText(character);
    for (let i = 0; i < unit.length; i++) starts.push(at);
    folded += unit;
    at += character.length;
  }
  starts.push(at);
  return { folded, starts };
}
