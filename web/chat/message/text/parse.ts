interface Linked {
  kind: 'link';
  text: string;
  href: string;
}

/** A part of a text: plain text, or a link. */
export type Piece =
  | { kind: 'text'; text: string }
  | Linked
  | { kind: 'mention'; text: string; userId: string }
  | { kind: 'command'; text: string };

const LINK = String.raw`https?://[^\s<>"]+`;
// Without a scheme, only ASCII: no look-alike letter may disguise the target.
const HOST = String.raw`(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}`;
const WWW = String.raw`(?<![\w.@/-])[Ww]{3}\.${HOST}(?:[/?#:][^\s<>"]*)?(?![\w\p{L}@-])`;
const MAIL = String.raw`(?<![\w.%+@/-])[A-Za-z0-9][\w.%+-]{0,63}@${HOST}(?![\w\p{L}@-])`;
const COMMAND = String.raw`(?<![\w/<])/[a-z0-9_]{1,32}(?:@[a-z0-9_]{5,32})?(?![\w/])`;

/**
 * Finds the URLs, mentioned people and bot commands in a text.
 *
 * @param mentioned userIds by the name after the `@`
 * @param commands known commands, with their slash; with several bots, also followed by `@` and the bot's username
 */
export function parseText(
  text: string,
  {
    mentioned = {},
    commands = new Set(),
  }: { mentioned?: Record<string, string>; commands?: ReadonlySet<string> } = {},
): Piece[] {
  // The longest name first: "@Ann" must not match the start of "@Anna".
  const names = Object.keys(mentioned).sort((one, other) => other.length - one.length);
  const kinds = [
    LINK,
    WWW,
    MAIL,
    ...names.map((name) => `@${escaped(name)}`),
    ...(commands.size > 0 ? [COMMAND] : []),
  ];
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(new RegExp(kinds.join('|'), 'gu'))) {
    const piece = toPiece(found, mentioned, commands);
    if (!piece) continue;
    if (index > end) pieces.push({ kind: 'text', text: text.slice(end, index) });
    pieces.push(piece);
    end = index + piece.text.length;
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) });
  return pieces;
}

/** The web addresses in a text, formatted or not. */
export function linksIn(text: string): Linked[] {
  return parseText(text).filter(
    (piece): piece is Linked => piece.kind === 'link' && piece.href.startsWith('http'),
  );
}

function toPiece(
  found: string,
  mentioned: Record<string, string>,
  commands: ReadonlySet<string>,
): Piece | undefined {
  if (found.startsWith('@')) return { kind: 'mention', text: found, userId: mentioned[found.slice(1)] ?? '' };
  if (found.startsWith('/')) return commands.has(found) ? { kind: 'command', text: found } : undefined;
  const text = withoutTail(found);
  const href = hrefOf(text);
  return URL.canParse(href) ? { kind: 'link', text, href } : undefined;
}

/** Whether a link whose label looks like a URL leads to another one. */
export function leadsElsewhere(name: string, href: string): boolean {
  if (!/[^\s.]\.[^\s.]|:\/\//.test(name)) return false;
  const named = URL.parse(/^[a-z]+:/i.test(name.trim()) ? name.trim() : `https://${name.trim()}`);
  return named === null || named.host !== URL.parse(href)?.host;
}

function hrefOf(text: string): string {
  if (/^https?:/.test(text)) return text;
  return /^www\./i.test(text) ? `https://${text}` : `mailto:${text}`;
}

/** Excludes punctuation at the end of a sentence, and a closing bracket opened before the URL. */
function withoutTail(address: string): string {
  let unopened = 0;
  for (const character of address) {
    if (character === '(') unopened--;
    if (character === ')') unopened++;
  }
  let end = address.length;
  for (; end > 0; end--) {
    const last = address[end - 1] as string;
    if (last === ')' && unopened-- > 0) continue;
    if (last === ')' || !/[.,;:!?'"\]}…]/.test(last)) break;
  }
  return address.slice(0, end);
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
