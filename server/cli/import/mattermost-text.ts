import { type Static, Type } from 'typebox';
import { CODE, link } from '#features/incoming-webhooks/index.ts';
import { withEmoji } from './shortcodes.ts';

/** Fields that webhooks and other integrations add to a post: whatever JSON they like. */
export const Props = Type.Record(Type.String(), Type.Unknown());
export type Props = Static<typeof Props>;

/** A text among them; empty for anything else. */
export function textIn(props: unknown, name: string): string {
  const value = (props as Props | null | undefined)?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function listIn(props: unknown, name: string): unknown[] {
  const value = (props as Props | null | undefined)?.[name];
  return Array.isArray(value) ? value : [];
}

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

/** The attachments that an integration adds to a post, in the Markdown of Mattermost. */
export function attachmentText(props: Props | null | undefined): string {
  const texts = listIn(props, 'attachments').map((one) => {
    const title = link(textIn(one, 'title'), textIn(one, 'title_link'));
    const fields = listIn(one, 'fields').map((field) => {
      const name = textIn(field, 'title');
      return [name && `**${name}:**`, textIn(field, 'value')].filter(Boolean).join(' ');
    });
    const shown = [
      ...[textIn(one, 'pretext'), textIn(one, 'author_name'), title && `**${title}**`, textIn(one, 'text')],
      ...[...fields, textIn(one, 'footer')],
    ];
    return shown.filter(Boolean).join('\n') || textIn(one, 'fallback');
  });
  return texts.filter(Boolean).join('\n\n').trim();
}
