import { type Static, Type } from 'typebox';
import { bold, link, literal } from '#features/incoming-webhooks/index.ts';
import { maybe, texts } from './records.ts';

const Entity = Type.Object({
  type: Type.String(),
  text: Type.String(),
  ...texts('href', 'language'),
  user_id: maybe(Type.Number()),
});
type Entity = Static<typeof Entity>;

/** The fields of a message that are shown as text. */
export const Written = Type.Object({
  text: Type.Union([Type.String(), Type.Array(Type.Union([Type.String(), Entity]))]),
  poll: maybe(
    Type.Object({
      question: Type.Unknown(),
      answers: Type.Array(Type.Object({ text: Type.Unknown(), voters: maybe(Type.Number()) })),
    }),
  ),
  contact_information: maybe(Type.Object(texts('first_name', 'last_name', 'phone_number'))),
});

type Written = Static<typeof Written>;

/** A text in the Markdown of the chat; polls and contacts become one. */
export function textOf({ text, poll, contact_information: contact }: Written): string {
  const parts = typeof text === 'string' ? [text] : text;
  const said = parts.map((part) => (typeof part === 'string' ? literal(part) : marked(part))).join('');
  if (poll) {
    const answers = poll.answers.map(({ text: answer, voters }) => `- ${wordsOf(answer)} (${voters ?? 0})`);
    return [`📊 ${wordsOf(poll.question)}`, ...answers, said].join('\n');
  }
  if (!contact) return said;
  const { first_name, last_name, phone_number } = contact;
  return ['👤', first_name, last_name, phone_number].filter(Boolean).join(' ');
}

/** Newer exports have entities here, too. */
function wordsOf(value: unknown): string {
  if (typeof value === 'string') return literal(value);
  if (Array.isArray(value)) return value.map(wordsOf).join('');
  const { text } = (value ?? {}) as { text?: unknown };
  return typeof text === 'string' ? literal(text) : '';
}

function marked({ type, text, href, language }: Entity): string {
  switch (type) {
    case 'bold':
      return around(text, bold);
    case 'italic':
      return around(text, (words) => `*${words}*`);
    case 'strikethrough':
      return around(text, (words) => `~~${words}~~`);
    case 'code':
      return `\`${text.replaceAll('`', "'")}\``;
    case 'pre':
      return `\n\`\`\`${language ?? ''}\n${text.replaceAll('```', "'''")}\n\`\`\`\n`;
    case 'blockquote':
      return `\n${text.replace(/^/gm, '> ')}\n`;
    case 'text_link':
      return link(literal(text), href ?? '');
    case 'link':
      return text;
    default:
      return literal(text);
  }
}

/** Marks must not stand beside blanks. */
function around(text: string, mark: (words: string) => string): string {
  const words = text.trim();
  if (words === '') return text;
  const from = text.indexOf(words);
  return text.slice(0, from) + mark(literal(words)) + text.slice(from + words.length);
}

/** The people whom a text names by their id. */
export function mentionsIn({ text }: Written): string[] {
  const parts = typeof text === 'string' ? [] : text;
  return parts.flatMap((part) =>
    typeof part !== 'string' && part.type === 'mention_name' && part.user_id ? [`user${part.user_id}`] : [],
  );
}
