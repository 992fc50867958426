import { type Static, Type } from 'typebox';
import { fromMrkdwn, link, literal, renderPosted } from '#features/incoming-webhooks/index.ts';
import { type Position, requireTime, type Where } from './items.ts';
import { maybe, readerOf, texts } from './records.ts';
import { withEmoji } from './shortcodes.ts';

const Text = Type.String();

export const Profile = maybe(Type.Object(texts('real_name', 'display_name', 'email', 'bot_id')));
const File = Type.Object(texts('id', 'name', 'title', 'mode', 'url_private'));
/** Until 2018, a file or a comment on one was a message, whose text says in English what happened. */
const Comment = Type.Object(texts('user', 'comment'));
const CommentedFile = Type.Object({ ...File.properties, initial_comment: maybe(Comment) });
/** A message of an app, a forwarded message, or the preview of a link. */
const Attachment = Type.Object({ is_share: maybe(Type.Boolean()), ...texts('from_url', 'app_unfurl_url') });
export const readMessage = readerOf(
  Type.Object({
    type: Text,
    ts: Text,
    ...texts('subtype', 'user', 'bot_id', 'username', 'text', 'thread_ts'),
    user_profile: Profile,
    bot_profile: maybe(Type.Object(texts('name'))),
    edited: maybe(Type.Object({ ts: Text })),
    reactions: maybe(Type.Array(Type.Object({ name: Text, users: Type.Array(Text) }))),
    files: maybe(Type.Array(File)),
    file: maybe(CommentedFile),
    comment: maybe(Comment),
    blocks: maybe(Type.Array(Type.Object(texts('type')))),
    attachments: maybe(Type.Array(Attachment)),
  }),
);
export type Message = ReturnType<typeof readMessage>;
/** A file that a message names. */
export type Named = Static<typeof File>;

type Names = ReadonlyMap<string, string>;

const MENTION = /<@([A-Z0-9]+)(?:\|[^>]*)?>/g;
const CHANNEL = /<#([A-Z0-9]+)(?:\|([^>]*))?>/g;
/** An id in what is attached. */
const ID = /(?<![\w/])([@#])([A-Z0-9]{2,})\b/g;

/** The text of a message and of what is attached to it, in the Markdown of the chat. */
export function textOf(
  { text: told, subtype, blocks, attachments, file, comment }: Message,
  names: Names,
  channelNames: Names,
): { text: string; mentions: string[] } {
  const mentions = new Set<string>();
  const written = file ? (comment ?? file.initial_comment)?.comment : told;
  // An app's blocks are shown instead of its text; those of people repeat it.
  const hasOwnBlocks = !written || blocks?.some(({ type }) => type !== 'rich_text');
  const inBlocks = hasOwnBlocks ? renderPosted({ blocks: blocks ?? [] }) : '';
  const text = inBlocks === '' ? (written ?? '') : '';
  const marked = text
    .replace(MENTION, (whole, id: string) => {
      const name = names.get(id);
      if (name === undefined) return whole;
      mentions.add(id);
      return `<@${id}|${name.replace(/[<>|]/g, '')}>`;
    })
    .replace(CHANNEL, (_, id: string, name = '') => `<#${id}|${name || (channelNames.get(id) ?? id)}>`);
  const attached = [
    inBlocks,
    ...(attachments ?? [])
      .filter((one) => !written || one.is_share || !(one.from_url || one.app_unfurl_url))
      .map((one) => renderPosted({ attachments: [one] })),
  ].map((one) =>
    one.replace(ID, (whole, mark: string, id: string) => {
      const name = (mark === '@' ? names : channelNames).get(id);
      return name === undefined ? whole : mark + name;
    }),
  );
  const shown = [fromMrkdwn(marked), ...attached].filter((one) => one.trim() !== '').join('\n\n');
  const translated = withEmoji(shown).trim();
  return {
    text: subtype === 'me_message' && translated !== '' ? `*${translated}*` : translated,
    mentions: [...mentions],
  };
}

/** The address of a file that is kept elsewhere; those at Slack have a token. */
const ELSEWHERE = /^https:\/\/(?![^/]*\bslack\.com(?:[:/]|$))/i;

/** A link to a file that is kept elsewhere, such as at Google Drive. */
export function linkTo({ mode, name, title, url_private: url }: Named): string | undefined {
  return mode === 'external' && url && ELSEWHERE.test(url)
    ? link(literal(title || name || url), url)
    : undefined;
}

/** A bot may write under several names, such as one that passes on what people write elsewhere. */
export function senderOf({ user, comment, bot_id, username }: Message): string {
  return user || comment?.user || [bot_id, username].filter(Boolean).join(':') || 'unknown';
}

/** A `ts` is a time in seconds with six decimals, and unique in its conversation. */
export function positionOf(where: Where, ts: string): Position {
  const [, seconds, micros] = /^(\d{9,11})\.(\d{6})$/.exec(ts) ?? [];
  const at = requireTime(where, 'ts', seconds === undefined ? Number.NaN : Number(seconds) * 1000);
  const rest = Number(micros);
  return { id: ts, at: at + Math.floor(rest / 1000), order: rest % 1000 };
}
