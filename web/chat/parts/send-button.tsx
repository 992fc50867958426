import { ActionIcon, type ActionIconProps } from '@mantine/core';

/** The round button that sends what was written beside it. */
export function SendButton(button: ActionIconProps & { 'aria-label': string }) {
  return <ActionIcon variant="filled" color="parley" type="submit" size={42} radius="xl" {...button} />;
}
