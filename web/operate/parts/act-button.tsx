import { type ButtonProps, NumberInput, Textarea } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import type { OPERATE } from '#contract/api/operate.ts';
import type { PathParameters } from '#contract/endpoints.ts';
import { LIMITS } from '#contract/limits.ts';
import type { ActWithButton } from '#contract/operate/acts.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { closeOverlay } from '../../ui/parts/use-back-closes.ts';
import { useTexts } from '../../ui/texts.ts';
import { inDays } from '../../ui/times.ts';
import { useOperateChange } from './queries.ts';

/** A button for an action that requires a recent sign-in: it states the consequence, and asks for the reason where one is due. */
export function OperatorButton({
  asksReason = true,
  more,
  onGiven,
  ...button
}: Omit<ComponentProps<typeof ConfirmButton>, 'fields' | 'onConfirm'> & {
  asksReason?: boolean | undefined;
  /** Further fields. */
  more?: ReactNode;
  onGiven: (reason: string, fields: FormData) => void;
}) {
  const t = useTexts();
  return (
    <ConfirmButton
      variant="light"
      {...button}
      needsRecentSignIn
      onConfirm={(fields) => onGiven(String(fields.get('reason')), fields)}
      fields={
        asksReason && (
          <>
            <Textarea
              name="reason"
              label={t('operate.common.reason')}
              maxLength={LIMITS.operatorReasonLength}
              minRows={2}
              required
              data-autofocus
            />
            {more}
          </>
        )
      }
    />
  );
}

type Endpoints = (typeof OPERATE)['endpoints'];
type KeyOf<Act> = { [K in keyof Endpoints]: Endpoints[K] extends { act: Act } ? K : never }[keyof Endpoints];

type ButtonOf<Act> = Pick<ButtonProps, 'color' | 'variant' | 'size'> & {
  by: KeyOf<Act>;
  asksReason?: boolean;
};

const PLAIN = { variant: 'default' } as const;
const SMALL = { variant: 'default', size: 'xs' } as const;

/** The endpoint of each button, whether it asks for a reason, and its looks. */
const BUTTONS: { readonly [Act in ActWithButton]: ButtonOf<Act> } = {
  'person.suspended': { by: 'POST /people/:accountId/suspension', asksReason: true, color: 'red' },
  'person.suspension-lifted': {
    by: 'DELETE /people/:accountId/suspension',
    asksReason: true,
    color: 'parley',
  },
  'person.signed-out': { by: 'DELETE /people/:accountId/sessions', ...PLAIN },
  'person.deleted': { by: 'DELETE /people/:accountId', asksReason: true, color: 'red' },
  'application.suspended': { by: 'POST /applications/:appId/suspension', asksReason: true, color: 'red' },
  'application.unsuspended': {
    by: 'DELETE /applications/:appId/suspension',
    asksReason: true,
    color: 'parley',
  },
  'invitation.revoked': { by: 'DELETE /invitations/:invitationId', ...SMALL },
  'conversation.held': { by: 'POST /holds', asksReason: true, color: 'parley', ...PLAIN },
  'conversation.released': { by: 'DELETE /holds/:conversationId', asksReason: true, ...SMALL },
  'provider.removed': { by: 'DELETE /providers/:providerId', asksReason: true, color: 'red' },
  'provider.scim-token-removed': { by: 'DELETE /providers/:providerId/scim-token', ...PLAIN },
  'announcement.ended': { by: 'DELETE /announcements/:announcementId', ...SMALL },
};

/** The button of an act: it states the consequence, asks for the reason where one is due, and says that it is done. */
export function ActButton<Act extends ActWithButton>({
  act,
  params,
  title,
  more,
  read,
  onDone,
}: {
  act: Act;
  params: PathParameters<KeyOf<Act>>;
  /** If it is not that of the texts. */
  title?: string;
  /** Further fields, and how they are read. */
  more?: ReactNode;
  read?: (fields: FormData) => object;
  onDone?: () => void;
}) {
  const t = useTexts();
  const name: ActWithButton = act;
  const { by, asksReason = false, ...looks }: ButtonOf<ActWithButton> = BUTTONS[name];
  const done = t(`operate.actDone.${name}`);
  const change = useOperateChange(by, { done, onSuccess: () => closeOverlay().then(onDone) });
  const label = t(`operate.actButton.${name}`);
  return (
    <OperatorButton
      {...looks}
      asksReason={asksReason}
      label={label}
      title={title ?? t.find(`operate.actTitle.${name}`) ?? label}
      text={t(`operate.actText.${name}`)}
      loading={change.isPending}
      more={more}
      onGiven={(reason, fields) => {
        const body = asksReason ? { reason, ...read?.(fields) } : undefined;
        change.mutate({ params, body } as Parameters<typeof change.mutate>[0]);
      }}
    />
  );
}

/** The form field for the length of a suspension. */
export function SuspensionDays() {
  const t = useTexts();
  return <NumberInput name="days" label={t('operate.common.days')} min={1} max={99_999} />;
}

/** The end of the suspension; none if it lasts until it is lifted. */
export function readSuspensionEnd(fields: FormData): { until?: number } {
  const days = Number(fields.get('days'));
  return days > 0 ? { until: inDays(days) } : {};
}
