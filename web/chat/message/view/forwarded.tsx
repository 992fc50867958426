import { IconArrowForwardUp } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ForwardedFrom } from '#contract/chat.ts';
import { useTexts } from '../../../ui/texts.ts';
import classes from '../message.module.css';

/** The author of a forwarded message, with a link if it is a bot. */
export function Forwarded({ name, username }: ForwardedFrom) {
  const t = useTexts();
  const words = name === undefined ? t('chat.forward.forwarded') : t('chat.forward.forwardedFrom', { name });
  return (
    <div className={classes.forwarded}>
      <IconArrowForwardUp size={14} aria-hidden="true" />
      {username === undefined ? (
        <span>{words}</span>
      ) : (
        <Link to={`/new/bot?username=${username}`}>{words}</Link>
      )}
    </div>
  );
}
