import { Alert, Group, Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { OperatedPerson } from '#contract/operate/people.ts';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { fullTime } from '../../ui/times.ts';
import { Fact, Facts } from '../parts/facts.tsx';
import { personQuery } from '../parts/queries.ts';
import { Limits } from './limits.tsx';
import { LockedOut } from './locked-out.tsx';
import { PersonActs } from './person-acts.tsx';
import { Sessions } from './sessions.tsx';
import { peopleTexts } from './texts.ts';

/** One person, and the operator's actions on them. */
export function Component() {
  const { accountId = '' } = useParams();
  const person = useQuery(personQuery(accountId));
  return <QueryView query={person}>{(found) => <Person person={found} />}</QueryView>;
}

function Person({ person }: { person: OperatedPerson }) {
  const t = useTexts(peopleTexts);
  return (
    <Screen title={person.name} lead={person.email}>
      {person.suspension && (
        <Alert
          color="red"
          icon={<IconBan />}
          title={
            person.suspension.until === undefined
              ? t.suspendedFor
              : t.suspendedUntil(fullTime(person.suspension.until))
          }
        >
          {person.suspension.reason}
        </Alert>
      )}
      <Facts>
        <Fact name={t.id}>
          <Text span ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
            {person.accountId}
          </Text>
        </Fact>
        <Fact name={t.joined}>
          <Moment at={person.createdAt} />
        </Fact>
        <Fact name={t.lastSeen}>
          {person.lastSeenAt === undefined ? t.never : <Moment at={person.lastSeenAt} />}
        </Fact>
        <Fact name={t.sessions}>{t.sessionCount(person.sessions)}</Fact>
        <Fact name={t.secondFactor}>{person.isTwoFactorOn ? t.on : t.off}</Fact>
      </Facts>
      <Group>
        <PersonActs person={person} />
      </Group>
      <LockedOut person={person} />
      <Sessions accountId={person.accountId} />
      <Limits accountId={person.accountId} />
    </Screen>
  );
}
