import { ActionIcon, type ActionIconProps, Popover } from '@mantine/core';
import { type ReactNode, useState } from 'react';

interface Props extends Pick<ActionIconProps, 'size' | 'visibleFrom'> {
  label: string;
  icon: ReactNode;
  width?: number;
  padding?: number;
  /** After it has closed. */
  onClose: () => void;
  children: (close: () => void) => ReactNode;
}

/** A button beside the text field that opens something to choose from. */
export function ToolPopover({ label, icon, width, padding, onClose, children, ...button }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      onExitTransitionEnd={onClose}
      position="top-end"
      {...(width !== undefined && { width })}
      trapFocus
      returnFocus={false}
    >
      <Popover.Target>
        <ActionIcon radius="xl" aria-label={label} onClick={() => setOpen(!isOpen)} {...button}>
          {icon}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown {...(padding !== undefined && { p: padding })} aria-label={label}>
        {children(() => setOpen(false))}
      </Popover.Dropdown>
    </Popover>
  );
}
