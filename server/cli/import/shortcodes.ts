import { readFileSync } from 'node:fs';

const CODE_IN_TEXT = /:([a-z0-9_+'-]{1,60}(?:::skin-tone-[2-6])?):/g;
const TONE = /^(.+?)::?skin-tone-([2-6])$/;

let emojiOf: ReadonlyMap<string, string> | undefined;

/** The names that Slack and Mattermost have for emoji: each line is an emoji and its names. */
function load(): ReadonlyMap<string, string> {
  const lines = readFileSync(new URL('./shortcodes.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [emoji = '', ...names] = line.split(' ');
      return names.map((name) => [name, emoji] as const);
    }),
  );
}

/** The emoji with a name such as `tada` or `+1::skin-tone-2`; undefined for those that a workspace has made for itself. */
export function emojiNamed(name: string): string | undefined {
  emojiOf ??= load();
  const [, plain = name, tone] = TONE.exec(name) ?? [];
  const emoji = emojiOf.get(plain);
  if (emoji === undefined || tone === undefined) return emoji;
  // U+1F3FB to U+1F3FF, beside the person: after it may come what the person does.
  return emoji.replace(/^(.)\u{fe0f}?/u, `$1${String.fromCodePoint(0x1f3f9 + Number(tone))}`);
}

/** Text with emoji instead of their names. */
export function withEmoji(text: string): string {
  return text.replace(CODE_IN_TEXT, (code, name: string) => emojiNamed(name) ?? code);
}

/** An emoji with the variation selectors that it needs, which Telegram leaves out; undefined for what is none. */
export function asSent(emoji: string): string | undefined {
  const complete = emoji.replace(/(?!\p{Emoji_Presentation})\p{Emoji}(?!\u{fe0f})/gu, '$&\u{fe0f}');
  return [emoji, complete].find((one) => /^\p{RGI_Emoji}$/v.test(one));
}
