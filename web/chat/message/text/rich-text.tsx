import { memo, useMemo } from 'react';
import { asWritten, parseFormatted } from '#contract/formatting.ts';
import { OUTWARD, shownUrl } from '../../../ui/shown-url.ts';
import classes from '../message.module.css';
import { useThread } from '../thread-context.ts';
import { Blocks } from './formatted.tsx';
import { parseText } from './parse.ts';

const EMOJI_ALONE = /^\p{RGI_Emoji}{1,3}$/v;

/** A message of up to three emoji and nothing else is shown large. */
function isEmojiAlone(text: string): boolean {
  return text.length < 100 && EMOJI_ALONE.test(text.trim());
}

/** A text with its formatting and clickable links, mentions and commands. */
export const RichText = memo(function RichText({
  text,
  from,
  mentionedUserIds = [],
}: {
  text: string;
  /** Its author. */
  from: string;
  mentionedUserIds?: string[] | undefined;
}) {
  const { people, commands, send } = useThread();
  // Some bots send unformatted text.
  const isPlain = people[from]?.isPlainText;
  const blocks = useMemo(() => (isPlain ? [asWritten(text)] : parseFormatted(text)), [isPlain, text]);
  const mentioned = Object.fromEntries(
    mentionedUserIds
      .flatMap((userId) => people[userId] ?? [])
      .filter(({ name }) => name !== '')
      .map(({ name, userId }) => [name, userId]),
  );
  const show = (words: string) =>
    parseText(words, { mentioned, commands }).map((piece, i) => {
      // The parts of a text never move.
      const key = i;
      switch (piece.kind) {
        case 'link':
          return (
            <a key={key} href={piece.href} dir="ltr" {...OUTWARD}>
              {shownUrl(piece.text)}
            </a>
          );
        case 'mention':
          return <b key={key}>{piece.text}</b>;
        case 'command':
          return (
            <button
              key={key}
              type="button"
              className={classes.command}
              onClick={() => send({ type: 'text', content: piece.text })}
            >
              {piece.text}
            </button>
          );
        default:
          return piece.text;
      }
    });
  return (
    <div className={classes.text} dir="auto" data-large={isEmojiAlone(text) || undefined}>
      <Blocks blocks={blocks} show={show} />
    </div>
  );
});
