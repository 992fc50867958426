import { Group, List, Text, ThemeIcon } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import type { ServerHealth } from '#contract/operate/health.ts';
import type { Finding } from '#contract/webhooks/finding.ts';
import { Section } from '../../ui/parts/screen.tsx';
import { useServerWords } from '../../ui/server-words.ts';
import { useTexts } from '../../ui/texts.ts';
import { checkNames, healthTexts } from './texts.ts';

const MARKS = {
  ok: { icon: IconCheck, color: 'teal' },
  warning: { icon: IconAlertTriangle, color: 'yellow' },
  fault: { icon: IconX, color: 'red' },
} as const;
const ORDER = { fault: 0, warning: 1, ok: 2 } as const;

/** The findings, the most severe first, each with its remedy. */
export function Checks({ findings }: { findings: ServerHealth['findings'] }) {
  const t = useTexts(healthTexts);
  const names: Readonly<Record<string, string>> = useTexts(checkNames);
  const words = useServerWords();
  // Paths and URLs are the same in every language.
  const tell = (said: Finding) => (said.reason === undefined ? said.message : words(said));
  const sorted = findings.toSorted((one, other) => ORDER[one.state] - ORDER[other.state]);
  return (
    <Section title={t.checks}>
      <List listStyleType="none" spacing="sm">
        {sorted.map(({ check, state, what, remedy }) => {
          const { icon: Icon, color } = MARKS[state];
          return (
            <List.Item key={`${check} ${what.message}`}>
              <Group wrap="nowrap" align="flex-start" gap="sm">
                <ThemeIcon size={22} radius="xl" variant="light" color={color}>
                  <Icon size={14} aria-label={t[state]} role="img" />
                </ThemeIcon>
                <div style={{ minWidth: 0 }}>
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    <b>{names[check] ?? check}</b>: {tell(what)}
                  </Text>
                  {remedy && (
                    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                      → {tell(remedy)}
                    </Text>
                  )}
                </div>
              </Group>
            </List.Item>
          );
        })}
      </List>
    </Section>
  );
}
