import { Code, Stack, Table, Text } from '@mantine/core';
import type { ReceiverAnswer } from '#contract/webhooks.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { useTexts } from '../../ui/texts.ts';

/** The beginning of what a receiver answered to a failed attempt, as plain text. */
export function Answer({ answer, isOpen }: { answer: ReceiverAnswer; isOpen: boolean }) {
  const t = useTexts();
  const { headers, areHeadersCut } = answer;
  return (
    <details open={isOpen}>
      <Text component="summary" size="sm" fw={600} style={{ cursor: 'pointer' }}>
        {t('console.events.response')}
      </Text>
      <Stack gap="xs" mt="xs">
        <Body answer={answer} />
        <Table aria-label={t('console.events.headers')} withRowBorders={false} verticalSpacing={2} fz="xs">
          <Table.Tbody>
            {headers.map(({ name, value }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a name may occur twice, and the list never changes.
              <Table.Tr key={i} style={{ overflowWrap: 'anywhere', verticalAlign: 'top' }}>
                <Table.Th scope="row" fw={500} w="35%">
                  {name}
                </Table.Th>
                <Table.Td ff="monospace">{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {areHeadersCut && <Dimmed>{t('console.events.headersCut')}</Dimmed>}
      </Stack>
    </details>
  );
}

function Body({ answer: { body, isBinary, isCut } }: { answer: ReceiverAnswer }) {
  const t = useTexts();
  if (isBinary) return <Dimmed>{t('console.events.bodyBinary')}</Dimmed>;
  if (body === '') return <Dimmed>{t('console.events.bodyEmpty')}</Dimmed>;
  return (
    <>
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={t('console.events.responseBody')}
        mah={320}
        style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {body}
      </Code>
      {isCut && <Dimmed>{t('console.events.bodyCut')}</Dimmed>}
    </>
  );
}
