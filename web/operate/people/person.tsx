import { Alert, Button, Group, List, NumberInput, SimpleGrid, Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { HIGHEST_LIMIT, PERSON_LIMITS } from '#contract/accounts/person-limits.ts';
import type { OperatedPerson, ShownPersonLimits } from '#contract/operate/people.ts';
import { nameBrowser } from '../../ui/account/user-agent.ts';
import { callOperate } from '../../ui/api.ts';
import { runs, useChangeOf } from '../../ui/parts/change.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Form, Submit } from '../../ui/parts/form.tsx';
import { Happened, Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { formatNumber, useTexts } from '../../ui/texts.ts';
import { fullTime } from '../../ui/times.ts';
import { ActButton, readSuspensionEnd, SuspensionDays } from '../parts/act-button.tsx';
import { CopyDialog } from '../parts/copy-dialog.tsx';
import { Facts } from '../parts/facts.tsx';
import { actsQuery, operateQuery, useOperateChange } from '../parts/queries.ts';

/** One person, and the operator's actions on them. */
export function Component() {
  const { accountId = '' } = useParams();
  return (
    <QueryView query={useQuery(operateQuery('GET /people/:accountId', { params: { accountId } }))}>
      {(person) => <Person person={person} />}
    </QueryView>
  );
}

function Person({ person }: { person: OperatedPerson }) {
  const t = useTexts();
  const navigate = useNavigate();
  const { accountId, suspension } = person;
  const params = { accountId };
  return (
    <Screen title={person.name} lead={person.email}>
      {suspension && (
        <Alert
          color="red"
          icon={<IconBan />}
          title={
            suspension.until === undefined
              ? t('operate.people.suspendedFor')
              : t('operate.people.suspendedUntil', { when: fullTime(suspension.until) })
          }
        >
          {suspension.reason}
        </Alert>
      )}
      <Facts
        facts={{
          [t('operate.people.id')]: (
            <Text span ff="monospace" size="sm">
              {accountId}
            </Text>
          ),
          [t('operate.people.joined')]: <Moment at={person.createdAt} />,
          [t('operate.people.lastSeen')]: (
            <Happened at={person.lastSeenAt} never={t('operate.people.never')} />
          ),
          [t('operate.people.sessions')]: t('operate.people.sessionCount', { count: person.sessions }),
          [t('operate.people.secondFactor')]: person.isTwoFactorOn
            ? t('operate.people.on')
            : t('operate.people.off'),
        }}
      />
      <Group>
        {suspension ? (
          <ActButton key="lift" act="person.suspension-lifted" params={params} />
        ) : (
          <ActButton
            act="person.suspended"
            params={params}
            more={<SuspensionDays />}
            read={readSuspensionEnd}
          />
        )}
        <ActButton act="person.signed-out" params={params} />
        <ActButton
          act="person.deleted"
          params={params}
          onDone={() => void navigate('/people', { replace: true })}
        />
      </Group>
      <LockedOut person={person} />
      <Sessions accountId={accountId} />
      <Limits accountId={accountId} />
    </Screen>
  );
}

/** The sessions of a person. */
function Sessions({ accountId }: { accountId: string }) {
  const t = useTexts();
  const sessions = useQuery({
    ...operateQuery('GET /people/:accountId/sessions', { params: { accountId } }),
    select: ({ sessions: list }) => list,
  });
  return (
    <Section title={t('operate.people.sessions')}>
      <QueryView query={sessions} empty={<Text c="dimmed">{t('operate.people.noSessions')}</Text>}>
        {(found) => (
          <List listStyleType="none" spacing="xs">
            {found.map(({ userAgent, createdAt, lastSeenAt }) => (
              <List.Item key={`${createdAt} ${lastSeenAt} ${userAgent}`}>
                <Text truncate title={userAgent}>
                  {nameBrowser(userAgent) ?? t('operate.people.unknownBrowser')}
                </Text>
                <Dimmed size="xs">
                  {t('operate.people.signedIn')} <Moment at={createdAt} />, {t('operate.people.used')}{' '}
                  <Moment at={lastSeenAt} />
                </Dimmed>
              </List.Item>
            ))}
          </List>
        )}
      </QueryView>
    </Section>
  );
}

/** A person's limits. */
function Limits({ accountId }: { accountId: string }) {
  const t = useTexts();
  return (
    <Section title={t('operate.people.limits')} lead={t('operate.people.limitsLead')}>
      <QueryView query={useQuery(operateQuery('GET /people/:accountId/limits', { params: { accountId } }))}>
        {(found) => <Fields key={JSON.stringify(found.own)} accountId={accountId} limits={found} />}
      </QueryView>
    </Section>
  );
}

function Fields({ accountId, limits: { own, server } }: { accountId: string; limits: ShownPersonLimits }) {
  const t = useTexts();
  const change = useOperateChange('PUT /people/:accountId/limits', {
    done: t('operate.people.limitsChanged'),
  });
  const submit = (fields: FormData) => {
    const given = PERSON_LIMITS.flatMap((name) => {
      const text = String(fields.get(name) ?? '').trim();
      return text === '' ? [] : [[name, Number(text)]];
    });
    change.mutate({ params: { accountId }, body: Object.fromEntries(given) });
  };
  return (
    <Form onSubmit={submit} gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {PERSON_LIMITS.map((name) => (
          <NumberInput
            key={name}
            name={name}
            label={t(`operate.limitOfPeople.${name}`)}
            placeholder={t('operate.people.everybody', { limit: formatNumber(server[name] ?? 0) })}
            defaultValue={own[name] ?? ''}
            min={0}
            max={HIGHEST_LIMIT}
          />
        ))}
      </SimpleGrid>
      <Submit of={change} w="fit-content" variant="default">
        {t('ui.common.save')}
      </Submit>
    </Form>
  );
}

/** Account recovery after losing the password or the second factor. */
function LockedOut({ person: { accountId, isTwoFactorOn } }: { person: OperatedPerson }) {
  const t = useTexts();
  return (
    <Section title={t('operate.people.help')} lead={t('operate.people.helpText')}>
      <Once
        name={t('operate.people.link')}
        make={async () =>
          (await callOperate('POST /people/:accountId/password-link', { params: { accountId } })).link
        }
      >
        {t('operate.people.linkText')}
      </Once>
      {isTwoFactorOn && (
        <Once
          name={t('operate.people.recoveryCode')}
          make={async () =>
            (await callOperate('POST /people/:accountId/recovery-code', { params: { accountId } }))
              .recoveryCode
          }
        >
          {t('operate.people.recoveryText')}
        </Once>
      )}
    </Section>
  );
}

function Once({ name, make, children }: { name: string; make: () => Promise<string>; children: ReactNode }) {
  const t = useTexts();
  const [made, setMade] = useState<string>();
  const change = useChangeOf([actsQuery.queryKey], make, { onSuccess: setMade });
  return (
    <Group justify="space-between">
      <div>
        <Text>{name}</Text>
        <Dimmed>{children}</Dimmed>
      </div>
      <Button variant="default" aria-label={`${t('operate.people.make')}: ${name}`} {...runs(change)}>
        {t('operate.people.make')}
      </Button>
      <CopyDialog
        title={name}
        value={made}
        hint={t('operate.people.helpText')}
        onClose={() => setMade(undefined)}
      />
    </Group>
  );
}
