import { ActionIcon, Group } from '@mantine/core';
import {
  IconBlockquote,
  IconBold,
  IconCode,
  IconItalic,
  IconLink,
  IconList,
  type IconProps,
  IconSourceCode,
  IconStrikethrough,
  IconTypography,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTexts } from '../../ui/texts.ts';
import type { Format } from './marks.ts';
import { ToolPopover } from './tool-popover.tsx';

const TOOLS = [
  { format: 'bold', icon: IconBold, key: 'B' },
  { format: 'italic', icon: IconItalic, key: 'I' },
  { format: 'struck', icon: IconStrikethrough },
  { format: 'code', icon: IconCode },
  { format: 'codeBlock', icon: IconSourceCode },
  { format: 'item', icon: IconList },
  { format: 'quote', icon: IconBlockquote },
  { format: 'link', icon: IconLink },
] as const satisfies { format: Format; icon: ComponentType<IconProps>; key?: string }[];

/** Formats the selected text. */
export function FormattingTools({
  onFormat,
  onClose,
}: {
  onFormat: (format: Format) => void;
  onClose: () => void;
}) {
  const t = useTexts();
  return (
    <ToolPopover
      label={t('chat.composer.formatting')}
      icon={<IconTypography size={18} stroke={1.5} />}
      padding={4}
      onClose={onClose}
    >
      {(close) => (
        <Group gap={2} role="toolbar" aria-label={t('chat.composer.formatting')}>
          {TOOLS.map(({ format, icon: Icon, ...tool }) => (
            <ActionIcon
              key={format}
              size={36}
              aria-label={t(`chat.format.${format}`)}
              title={t(`chat.format.${format}`) + ('key' in tool ? ` (Ctrl ${tool.key})` : '')}
              onClick={() => {
                onFormat(format);
                close();
              }}
            >
              <Icon size={18} />
            </ActionIcon>
          ))}
        </Group>
      )}
    </ToolPopover>
  );
}
