import { CODE } from '#features/incoming-webhooks/index.ts';
import { withEmoji } from './shortcodes.ts';

const HEADING = /^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*$/gm;
const PICTURE = /!(\[[^\]\n]*\]\()/g;
const MENTION = /(?<![\w@./])@([a-z0-9][a-z0-9._-]*)/gi;

/**
 * The Markdown of Mattermost as that of the chat, which has no headings and pictures. People are mentioned by name.
 *
 * @param names by username
 */
export function fromMattermost(
  text: string,
  names: ReadonlyMap<string, string>,
): { text: string; mentions: string[] } {
  const mentions = new Set<string>();
  const withName = (whole: string, typed: string) => {
    const lower = typed.toLowerCase();
    // A dot may end the sentence.
    const username = names.has(lower) ? lower : lower.replace(/[._-]+$/, '');
    const name = names.get(username);
    if (name === undefined) return whole;
    mentions.add(username);
    return `@${name}${typed.slice(username.length)}`;
  };
  const translated = text.split(CODE).map((part, i) => {
    if (i % 2 === 1) return part;
    const marked = part
      .replace(HEADING, (_, title: string) => `**${title.replaceAll('**', '')}**`)
      .replace(PICTURE, '$1');
    return withEmoji(marked.replace(MENTION, withName));
  });
  return { text: translated.join(''), mentions: [...mentions] };
}
