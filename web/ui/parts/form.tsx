import { Button, type ButtonProps, Group, type GroupProps, Stack, type StackProps } from '@mantine/core';
import type { ComponentProps, SyntheticEvent } from 'react';
import { useTexts } from '../texts.ts';

type OnSubmit = (fields: FormData, form: HTMLFormElement) => void;
type FormProps<Layout> = { onSubmit: OnSubmit } & Omit<ComponentProps<'form'>, 'onSubmit'> &
  Omit<Layout, keyof ComponentProps<'form'>>;

/** A form that the page handles itself, without reloading. */
export function Form({ onSubmit, ...form }: FormProps<StackProps>) {
  return <Stack component="form" {...(form as StackProps)} onSubmit={handledBy(onSubmit)} />;
}

/** The same, of one field and its button. */
export function FormLine({ onSubmit, ...form }: FormProps<GroupProps>) {
  return <Group component="form" align="flex-end" {...(form as GroupProps)} onSubmit={handledBy(onSubmit)} />;
}

function handledBy(onSubmit: OnSubmit) {
  return (event: SyntheticEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    onSubmit(new FormData(form), form);
  };
}

/** The texts of a form as a body: its inputs have the names of the fields, and the server validates them. */
export function bodyOf<Body>(fields: FormData): Body {
  return Object.fromEntries(fields) as Body;
}

/** The button of a form: it shows that its change is under way. */
export function Submit({ of: { isPending }, ...button }: ButtonProps & { of: { isPending: boolean } }) {
  return <Button type="submit" loading={isPending} {...button} />;
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
