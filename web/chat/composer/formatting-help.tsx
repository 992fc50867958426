import { ActionIcon, Group, Kbd, Popover, Table, Text } from '@mantine/core';
import { IconTypography } from '@tabler/icons-react';
import { useTexts } from '../../ui/texts.ts';

/** How to format text. */
export function FormattingHelp() {
  const t = useTexts();
  const rows = [
    [`**${t('chat.composer.bold')}**`, <strong key="bold">{t('chat.composer.bold')}</strong>, 'B'],
    [`*${t('chat.composer.italic')}*`, <em key="italic">{t('chat.composer.italic')}</em>, 'I'],
    [`~~${t('chat.composer.struck')}~~`, <del key="struck">{t('chat.composer.struck')}</del>],
    [`\`${t('chat.composer.code')}\``, <code key="code">{t('chat.composer.code')}</code>],
    ['```', t('chat.composer.codeBlock')],
    [`- ${t('chat.composer.item')}`, `• ${t('chat.composer.item')}`],
    [`> ${t('chat.composer.quote')}`, t('chat.composer.quote')],
    [`[${t('chat.composer.name')}](https://…)`, <u key="link">{t('chat.composer.name')}</u>],
  ] as const;
  return (
    <Popover withinPortal trapFocus returnFocus position="top-end">
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" radius="xl" aria-label={t('chat.composer.formatting')}>
          <IconTypography size={18} stroke={1.5} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('chat.composer.formatting')}>
        <Text size="sm" fw={600} tabIndex={0}>
          {t('chat.composer.formatting')}
        </Text>
        <Table verticalSpacing={4} withRowBorders={false}>
          <Table.Tbody>
            {rows.map(([typed, shown, key]) => (
              <Table.Tr key={typed}>
                <Table.Td ff="monospace">{typed}</Table.Td>
                <Table.Td>{shown}</Table.Td>
                <Table.Td visibleFrom="sm">
                  {key && (
                    <Group gap={4} wrap="nowrap">
                      {['Ctrl', key].map((one) => (
                        <Kbd key={one} size="xs">
                          {one}
                        </Kbd>
                      ))}
                    </Group>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Popover.Dropdown>
    </Popover>
  );
}
