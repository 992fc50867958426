import { ActionIcon, Group, Kbd, Popover, Table, Text } from '@mantine/core';
import { IconTypography } from '@tabler/icons-react';
import { useTexts } from '../../ui/texts.ts';
import { composerTexts } from './texts.ts';

/** How to format text. */
export function FormattingHelp() {
  const t = useTexts(composerTexts);
  const rows = [
    [`**${t.bold}**`, <strong key="bold">{t.bold}</strong>, 'B'],
    [`*${t.italic}*`, <em key="italic">{t.italic}</em>, 'I'],
    [`~~${t.struck}~~`, <del key="struck">{t.struck}</del>],
    [`\`${t.code}\``, <code key="code">{t.code}</code>],
    ['```', t.codeBlock],
    [`- ${t.item}`, `• ${t.item}`],
    [`> ${t.quote}`, t.quote],
    [`[${t.name}](https://…)`, <u key="link">{t.name}</u>],
  ] as const;
  return (
    <Popover withinPortal trapFocus returnFocus position="top-end">
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" radius="xl" aria-label={t.formatting}>
          <IconTypography size={18} stroke={1.5} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t.formatting}>
        <Text size="sm" fw={600} tabIndex={0}>
          {t.formatting}
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
