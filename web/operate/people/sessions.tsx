import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { nameBrowser } from '../../ui/account/user-agent.ts';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { personSessionsQuery } from '../parts/queries.ts';
import { peopleTexts } from './texts.ts';

/** The sessions of a person. */
export function Sessions({ accountId }: { accountId: string }) {
  const t = useTexts(peopleTexts);
  const sessions = useQuery(personSessionsQuery(accountId));
  return (
    <Section title={t.sessions}>
      <QueryView query={sessions}>
        {(found) =>
          found.length === 0 ? (
            <Text c="dimmed">{t.noSessions}</Text>
          ) : (
            <List listStyleType="none" spacing="xs">
              {found.map(({ userAgent, createdAt, lastSeenAt }) => (
                <List.Item key={`${createdAt} ${lastSeenAt} ${userAgent}`}>
                  <Text truncate title={userAgent}>
                    {nameBrowser(userAgent) ?? t.unknownBrowser}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {t.signedIn} <Moment at={createdAt} />, {t.used} <Moment at={lastSeenAt} />
                  </Text>
                </List.Item>
              ))}
            </List>
          )
        }
      </QueryView>
    </Section>
  );
}
