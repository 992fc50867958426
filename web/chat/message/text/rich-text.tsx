import { memo, useMemo } from 'react';
import { asWritten, parseFormatted } from '#contract/formatting.ts';
import { shownUrl } from '../../../ui/shown-url.ts';
import type { People } from '../../conversations/people.ts';
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
  isPlain = false,
  mentionedUserIds,
  people,
}: {
  text: string;
  /** Set for bots that send unformatted text. */
  isPlain?: boolean | undefined;
  mentionedUserIds?: string[] | undefined;
  people?: People;
}) {
  const { commands, send } = useThread();
  const blocks = useMemo(() => (isPlain ? [asWritten(text)] : parseFormatted(text)), [isPlain, text]);
  const mentioned = useMemo(() => {
    const named = mentionedUserIds?.flatMap((userId) => {
      const name = people?.[userId]?.name;
      return name ? [[name, userId] as const] : [];
    });
    return Object.fromEntries(named ?? []);
  }, [mentionedUserIds, people]);
  const show = (words: string) =>
    parseText(words, { mentioned, commands }).map((piece, i) => {
      // The parts of a text never move.
      const key = i;
      switch (piece.kind) {
        case 'link':
          return (
            <a key={key} href={piece.href} dir="ltr" target="_blank" rel="noopener noreferrer nofollow">
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
