import { Button, NumberInput, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { HIGHEST_LIMIT, PERSON_LIMITS } from '#contract/accounts/person-limits.ts';
import type { PersonLimits, ShownPersonLimits } from '#contract/operate/people.ts';
import { callOperate } from '../../ui/api.ts';
import { commonTexts } from '../../ui/common-texts.ts';
import { useChangeOf } from '../../ui/parts/change.ts';
import { Form } from '../../ui/parts/form.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { formatNumber, useTexts } from '../../ui/texts.ts';
import { personLimitsQuery } from '../parts/queries.ts';
import { limitTexts, peopleTexts } from './texts.ts';

/** A person's limits. */
export function Limits({ accountId }: { accountId: string }) {
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
