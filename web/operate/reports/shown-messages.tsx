import { Anchor, Checkbox, Group, Paper, Stack, Text } from '@mantine/core';
import type { ChatMessage } from '#contract/chat.ts';
import type { OperatedReport } from '#contract/operate/reports.ts';
import { Moment } from '../../ui/parts/moment.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';

/** The messages chosen by the reporter. Files open only on a click: they may be disturbing. */
export function ShownMessages({
  report: { messages, people },
  selected,
  onSelect,
}: {
  report: OperatedReport;
  selected: readonly string[];
  /** Undefined if nothing can be removed any more. */
  onSelect: ((msgIds: readonly string[]) => void) | undefined;
}) {
  const t = useTexts();
  const nameOf = (accountId: string) =>
    people.find((person) => person.accountId === accountId)?.name || t('operate.report.gone');
  if (messages.length === 0) return <Text c="dimmed">{t('operate.report.noMessages')}</Text>;
  return (
    <Section
      title={t('operate.report.messages')}
      lead={`${t('operate.report.messagesLead')} ${onSelect ? t('operate.report.selectHint') : ''}`}
    >
      <Stack gap="xs">
        {messages.map((message) => {
          const { msgId, from, sentAt } = message;
          return (
            <Paper key={msgId} withBorder p="sm">
              <Group align="flex-start" wrap="nowrap">
                {onSelect && (
                  <Checkbox
                    aria-label={t('operate.report.select', { name: nameOf(from) })}
                    checked={selected.includes(msgId)}
                    onChange={({ currentTarget: { checked } }) =>
                      onSelect(checked ? [...selected, msgId] : selected.filter((other) => other !== msgId))
                    }
                  />
                )}
                <div style={{ minWidth: 0 }}>
                  <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                    {nameOf(from)}, <Moment at={sentAt} />
                  </Text>
                  <Words message={message} />
                </div>
              </Group>
            </Paper>
          );
        })}
      </Stack>
    </Section>
  );
}

function Words({ message }: { message: ChatMessage }) {
  const t = useTexts();
  const { type, content, caption, location, poll, fileUrl } = message;
  const said = content ?? caption ?? poll?.question ?? location?.name;
  return (
    <>
      {type !== 'text' && (
        <Text size="sm" fs="italic">
          {t('operate.report.ofType', { type })}
        </Text>
      )}
      {said !== undefined && <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{said}</Text>}
      {poll?.options.map(({ id, text }) => (
        <Text key={id} size="sm" style={{ overflowWrap: 'anywhere' }}>
          – {text}
        </Text>
      ))}
      {fileUrl !== undefined && (
        <Anchor href={fileUrl} target="_blank" rel="noreferrer noopener">
          {t('operate.report.file')}
        </Anchor>
      )}
    </>
  );
}
