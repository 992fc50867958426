import { Button, type ButtonProps, Group } from '@mantine/core';
import type { ComponentProps } from 'react';
import { commonTexts } from '../common-texts.ts';
import { useTexts } from '../texts.ts';

/** A form that the page handles itself: nothing is loaded again. */
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

/** The end of a dialog: the way back, and the button that does it; one without `onClick` submits the form. */
export function CancelOr({
  onCancel,
  ...button
}: ButtonProps & ComponentProps<'button'> & { onCancel: () => void }) {
  const t = useTexts(commonTexts);
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        {t.cancel}
      </Button>
      <Button type={button.onClick ? 'button' : 'submit'} {...button} />
    </Group>
  );
}
