import { Button, type ButtonProps, NumberInput, Stack, Text, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { CancelOr, Form } from '../../ui/parts/form.tsx';
import { useConfirmedDisclosure } from '../../ui/parts/use-confirmed.ts';
import { useTexts } from '../../ui/texts.ts';

const DAY_MS = 86_400_000;

/** A button for an action that requires a reason: it states the consequence and asks for the reason. */
export function ReasonButton({
  label,
  title = label,
  children,
  more,
  onGiven,
  ...button
}: ButtonProps & {
  label: string;
  title?: string;
  /** The consequence, shown before confirmation. */
  children: ReactNode;
  /** Further fields. */
  more?: ReactNode;
  onGiven: (reason: string, fields: FormData) => void;
}) {
  const t = useTexts();
  const { isOpen, open, close, isOpening } = useConfirmedDisclosure();
  return (
    <>
      <Button variant="light" {...button} loading={isOpening || button.loading === true} onClick={open}>
        {label}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={title} centered>
        <Form
          onSubmit={(fields) => {
            close();
            onGiven(String(fields.get('reason')), fields);
          }}
        >
          <Stack>
            <Text size="sm" component="div">
              {children}
            </Text>
            <Textarea
              name="reason"
              label={t('operate.common.reason')}
              maxLength={LIMITS.operatorReasonLength}
              autosize
              minRows={2}
              required
              data-autofocus
            />
            {more}
            <CancelOr onCancel={close} color={button.color ?? 'red'} variant="light">
              {label}
            </CancelOr>
          </Stack>
        </Form>
      </Dialog>
    </>
  );
}

/** The form field for the length of a suspension. */
export function SuspensionDays() {
  const t = useTexts();
  return (
    <NumberInput name="days" label={t('operate.common.days')} min={1} max={99_999} allowDecimal={false} />
  );
}

/** The end of the suspension; none if it lasts until it is lifted. */
export function readSuspensionEnd(fields: FormData): { until?: number } {
  const days = Number(fields.get('days'));
  return days > 0 ? { until: Date.now() + days * DAY_MS } : {};
}
