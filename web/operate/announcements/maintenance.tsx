import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Maintenance as MaintenanceState } from '#contract/notices.ts';
import type { StartMaintenance } from '#contract/operate/notices.ts';
import { callOperate } from '../../ui/api.ts';
import { maintenanceQuery } from '../../ui/notices/queries.ts';
import { useChangeOf } from '../../ui/parts/change.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { CancelOr, Form } from '../../ui/parts/form.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { fullTime } from '../../ui/times.ts';
import { Fact, Facts } from '../parts/facts.tsx';
import { readTexts, TextFields } from './text-fields.tsx';
import { announcementTexts } from './texts.ts';

const MINUTE_MS = 60_000;
const MOST_MINUTES = 7 * 24 * 60;
const changed = [maintenanceQuery.queryKey, ['operate', 'acts']] as const;

/** Starts maintenance, moves its end, and ends it. */
export function Maintenance() {
  const t = useTexts(announcementTexts);
  const maintenance = useQuery(maintenanceQuery);
  return (
    <Section title={t.maintenance} lead={t.maintenanceLead}>
      <QueryView query={maintenance}>
        {(present) =>
          present ? (
            <Present present={present} />
          ) : (
            <Start label={t.start} title={t.startTitle} text={t.startText} done={t.started} />
          )
        }
      </QueryView>
    </Section>
  );
}

function Present({ present: { startedAt, until } }: { present: MaintenanceState }) {
  const t = useTexts(announcementTexts);
  const end = useChangeOf(changed, () => callOperate('DELETE /maintenance'), { done: t.ended });
  return (
    <>
      <Facts>
        <Fact name={t.since}>
          <Moment at={startedAt} />
        </Fact>
        <Fact name={t.until}>{fullTime(until)}</Fact>
      </Facts>
      <Group>
        <Button loading={end.isPending} onClick={() => end.mutate(undefined)}>
          {t.end}
        </Button>
        <Start label={t.change} title={t.changeTitle} text={t.changeText} done={t.changed} />
      </Group>
    </>
  );
}

function Start({
  label,
  title,
  text: consequence,
  done,
}: {
  label: string;
  title: string;
  text: string;
  done: string;
}) {
  const t = useTexts(announcementTexts);
  const [isOpen, { open, close }] = useDisclosure(false);
  const start = useChangeOf(
    changed,
    (given: StartMaintenance) => callOperate('PUT /maintenance', { body: given }),
    { done },
  );
  return (
    <div>
      <Button variant="default" loading={start.isPending} onClick={open}>
        {label}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={title} centered>
        <Form
          onSubmit={(fields) => {
            close();
            const text = readTexts(fields);
            const until = Date.now() + Number(fields.get('minutes')) * MINUTE_MS;
            start.mutate({ until, ...(text && { text }) });
          }}
        >
          <Stack>
            <Text size="sm">{consequence}</Text>
            <NumberInput
              name="minutes"
              label={t.minutes}
              defaultValue={30}
              min={1}
              max={MOST_MINUTES}
              allowDecimal={false}
              required
              data-autofocus
            />
            <TextFields label={t.why} rows={1} />
            <CancelOr onCancel={close} color="orange" variant="light">
              {label}
            </CancelOr>
          </Stack>
        </Form>
      </Dialog>
    </div>
  );
}
