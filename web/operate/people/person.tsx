import { Alert, Button, Group, List, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { HIGHEST_LIMIT, PERSON_LIMITS } from '#contract/accounts/person-limits.ts';
import type { OperatedPerson, PersonLimits, ShownPersonLimits } from '#contract/operate/people.ts';
import { nameBrowser } from '../../ui/account/user-agent.ts';
import { callOperate } from '../../ui/api.ts';
import { commonTexts } from '../../ui/common-texts.ts';
import { useChangeOf } from '../../ui/parts/change.ts';
import { Form } from '../../ui/parts/form.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { formatNumber, useTexts } from '../../ui/texts.ts';
import { fullTime } from '../../ui/times.ts';
import { Fact, Facts } from '../parts/facts.tsx';
import { personLimitsQuery, personQuery, personSessionsQuery } from '../parts/queries.ts';
import { LockedOut } from './locked-out.tsx';
import { PersonActs } from './person-acts.tsx';
import { limitTexts, peopleTexts } from './texts.ts';

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

/** The sessions of a person. */
function Sessions({ accountId }: { accountId: string }) {
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

/** A person's limits. */
function Limits({ accountId }: { accountId: string }) {
  const t = useTexts(peopleTexts);
  const limits = useQuery(personLimitsQuery(accountId));
  return (
    <Section title={t.limits} lead={t.limitsLead}>
      <QueryView query={limits}>
        {(found) => <Fields key={JSON.stringify(found.own)} accountId={accountId} limits={found} />}
      </QueryView>
    </Section>
  );
}

function Fields({ accountId, limits: { own, server } }: { accountId: string; limits: ShownPersonLimits }) {
  const t = { ...useTexts(commonTexts), ...useTexts(peopleTexts) };
  const names = useTexts(limitTexts);
  const change = useChangeOf(
    [['operate']],
    (given: PersonLimits) =>
      callOperate('PUT /people/:accountId/limits', { params: { accountId }, body: given }),
    { done: t.limitsChanged },
  );
  const submit = (fields: FormData) => {
    const given = PERSON_LIMITS.flatMap((name) => {
      const text = String(fields.get(name) ?? '').trim();
      return text === '' ? [] : [[name, Number(text)]];
    });
    change.mutate(Object.fromEntries(given));
  };
  return (
    <Form onSubmit={submit}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {PERSON_LIMITS.map((name) => (
            <NumberInput
              key={name}
              name={name}
              label={names[name]}
              placeholder={t.everybody(formatNumber(server[name] ?? 0))}
              defaultValue={own[name] ?? ''}
              min={0}
              max={HIGHEST_LIMIT}
              allowDecimal={false}
            />
          ))}
        </SimpleGrid>
        <div>
          <Button type="submit" variant="default" loading={change.isPending}>
            {t.save}
          </Button>
        </div>
      </Stack>
    </Form>
  );
}
