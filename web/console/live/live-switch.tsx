import { Badge, Switch } from '@mantine/core';
import type { LiveState } from '../../ui/session/live.ts';
import { useTexts } from '../../ui/texts.ts';

/** The connection state of a stream that is always live. */
export function LiveBadge({ state }: { state: LiveState }) {
  const t = useTexts();
  return (
    <Badge variant="dot" tt="none" fw={500} color={state === 'open' ? 'teal' : 'yellow'} role="status">
      {t(`console.live.${state}`)}
    </Badge>
  );
}

/** Lets a log follow live events, or pauses it for reading. */
export function LiveSwitch({
  state,
  isHeld,
  onHold,
}: {
  state: LiveState;
  isHeld: boolean;
  onHold: (isHeld: boolean) => void;
}) {
  const t = useTexts();
  return (
    <Switch
      label={state === 'lost' && !isHeld ? t('console.live.lost') : t('console.live.follow')}
      checked={!isHeld}
      onChange={({ currentTarget }) => onHold(!currentTarget.checked)}
    />
  );
}
