import { Code, Table, Text } from '@mantine/core';
import type { ServerHealth } from '#contract/operate/health.ts';
import { Section } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { useTexts } from '../../ui/texts.ts';
import { fallbackTexts, settingTexts } from './setting-texts.ts';
import { healthTexts } from './texts.ts';

/** The settings in effect; the server omits secrets. */
export function Settings({ settings }: { settings: ServerHealth['settings'] }) {
  const t = useTexts(healthTexts);
  const abouts: Readonly<Record<string, string>> = useTexts(settingTexts);
  const fallbackIn: Readonly<Record<string, string>> = useTexts(fallbackTexts);
  return (
    <Section title={t.settings} lead={t.settingsLead}>
      <WideTable label={t.settings} minWidth={560} columns={[t.name, t.value]}>
        {settings.map(({ name, about, value, whenNotSet }) => (
          <Table.Tr key={name}>
            <Table.Td>
              <Code>{name}</Code>
              <Text size="xs" c="dimmed" maw={420} lang={abouts[name] === undefined ? 'en' : undefined}>
                {(abouts[name] ?? about).replaceAll('`', '')}
              </Text>
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {value ?? (
                <Text size="sm" c="dimmed">
                  {t.notSet} {fallbackIn[whenNotSet] ?? whenNotSet.replaceAll('`', '')}
                </Text>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </WideTable>
    </Section>
  );
}
