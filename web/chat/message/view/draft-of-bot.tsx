import { useTexts } from '../../../ui/texts.ts';
import { personName } from '../../conversations/names.ts';
import type { BotDraft } from '../../live/drafts-of-bots.ts';
import { Avatar } from '../../media/avatar.tsx';
import classes from '../message.module.css';
import { closeMarks } from '../text/close-marks.ts';
import { RichText } from '../text/rich-text.tsx';
import { useThread } from '../thread-context.ts';

/** A message that a bot is writing. Screen readers are told of the finished one. */
export function DraftOfBot({ draft }: { draft: BotDraft }) {
  const t = useTexts();
  const { isGroup, people } = useThread();
  const sender = people[draft.userId];
  const name = personName(sender);
  return (
    <article className={classes.message} aria-label={name} aria-busy data-first data-draft>
      {isGroup && (
        <div className={classes.avatar}>
          <Avatar name={name} seed={draft.userId} pictureUrl={sender?.pictureUrl} size={30} />
        </div>
      )}
      <div className={classes.column}>
        {isGroup && <div className={classes.sender}>{name}</div>}
        <div className={classes.bubble}>
          <RichText text={closeMarks(draft.content)} from={draft.userId} />
          <div className={classes.foot}>{t('chat.conversation.typing')}</div>
        </div>
      </div>
    </article>
  );
}
