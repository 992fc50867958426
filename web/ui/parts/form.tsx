import { Button, type ButtonProps, Group } from '@mantine/core';
import type { ComponentProps } from 'react';
import { useTexts } from '../texts.ts';

/** A form that the page handles itself, without reloading. */
export function Form({
  onSubmit,
  ...form
}: Omit<ComponentProps<'form'>, 'onSubmit'> & {
  onSubmit: (fields: FormData, form: HTMLFormElement) => void;
}) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(new FormData(event.currentTarget), event.currentTarget);
      }}
    />
  );
}

/** The texts of a form as a body: its inputs have the names of the fields, and the server validates them. */
export function bodyOf<Body>(fields: FormData): Body {
  return Object.fromEntries(fields) as Body;
}

/** The buttons of a form in a dialog. If no field takes the focus, the one that does no harm takes it. */
export function CancelOr({ onCancel, ...button }: ButtonProps & { form?: string; onCancel: () => void }) {
  const t = useTexts();
  const isSafer = button.color === 'red' || button.disabled === true;
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel} data-autofocus={isSafer || undefined}>
        {t('ui.common.cancel')}
      </Button>
      <Button type="submit" {...button} data-autofocus />
    </Group>
  );
}
