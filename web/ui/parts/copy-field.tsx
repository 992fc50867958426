import { ActionIcon, Code, CopyButton, Group, Stack, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { mayCopy } from '../secure-context.ts';
import { useTexts } from '../texts.ts';
import classes from './copy-field.module.css';
import { Dimmed } from './dimmed.tsx';

/** A value to copy: an id, a key, a command. */
export function CopyField({
  label,
  value,
  isBlock = false,
  hint,
}: {
  label: string;
  value: string;
  /** Keeps line breaks: for commands and programs. */
  isBlock?: boolean;
  hint?: string;
}) {
  const t = useTexts();
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Group gap="xs" wrap="nowrap" align="flex-start" className={classes.field}>
        <Code block={isBlock} className={classes.value} tabIndex={isBlock ? 0 : undefined}>
          {value}
        </Code>
        {mayCopy && (
          <CopyButton value={value}>
            {({ copied, copy }) => (
              <Tooltip label={copied ? t('ui.common.copied') : t('ui.common.copy')}>
                <ActionIcon
                  color={copied ? 'teal' : 'gray'}
                  onClick={copy}
                  aria-label={`${t('ui.common.copy')}: ${label}`}
                >
                  {copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
                </ActionIcon>
              </Tooltip>
            )}
          </CopyButton>
        )}
      </Group>
      {hint && <Dimmed size="xs">{hint}</Dimmed>}
    </Stack>
  );
}
