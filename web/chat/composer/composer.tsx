import type { Conversation } from '#contract/chat.ts';
import classes from './composer.module.css';
import { Field } from './field.tsx';
import { Refusal } from './refusal.tsx';
import type { Writing } from './use-writing.ts';

/** Where one writes, or why one cannot. */
export function Composer({ conversation, writing }: { conversation: Conversation; writing: Writing }) {
  return (
    <div className={classes.composer}>
      <div className={classes.inner}>
        {conversation.mayWrite ? (
          <Field conversation={conversation} writing={writing} />
        ) : (
          <Refusal conversation={conversation} />
        )}
      </div>
    </div>
  );
}
