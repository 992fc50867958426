import { type Static, Type } from 'typebox';
import { CODE, link } from '#features/incoming-webhooks/index.ts';
import { maybe } from './records.ts';
import { withEmoji } from './shortcodes.ts';

const Text = maybe(Type.String());

/** Fields that webhooks and other integrations add to a post. */
export const Props = Type.Object({
  from_webhook: Text,
  override_username: Text,
  webhook_display_name: Text,
  attachments: maybe(
    Type.Array(
      Type.Object({
        fallback: Text,
        pretext: Text,
        author_name: Text,
        title: Text,
        title_link: Text,
        text: Text,
        fields: maybe(Type.Array(Type.Object({ title: Text, value: Type.Unknown() }))),
        footer: Text,
      }),
    ),
  ),
});

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
export function attachmentText(props: Static<typeof Props> | null | undefined): string {
  const texts = (props?.attachments ?? []).map((one) => {
    const title = one.title ? `**${link(one.title, one.title_link ?? '')}**` : '';
    const fields = (one.fields ?? []).map(({ title: name, value }) =>
      [name && `**${name}:**`, value].filter(Boolean).join(' '),
    );
    const shown = [one.pretext, one.author_name, title, one.text, ...fields, one.footer];
    return shown.filter(Boolean).join('\n') || one.fallback;
  });
  return texts.filter(Boolean).join('\n\n').trim();
}
