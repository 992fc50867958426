import { Checkbox, PasswordInput, TextInput } from '@mantine/core';
import type { ComponentProps } from 'react';
import type { ChangeProvider, OperatedProvider } from '#contract/operate/providers.ts';
import { FormDialog } from '../../ui/parts/dialog.tsx';
import { useTexts } from '../../ui/texts.ts';

/** Each is a checkbox of the form, and a badge of the provider. */
export const POLICIES = ['createsAccounts', 'findsByEmail', 'needsSecondFactor', 'passwordsOff'] as const;

type Given = Omit<Required<ChangeProvider>, 'clientSecret'> & { issuer?: string; clientSecret?: string };

/** The settings of a provider: a new one, or one that is changed. */
export function ProviderForm({
  provider,
  onGiven,
  ...dialog
}: Omit<ComponentProps<typeof FormDialog>, 'onSubmit' | 'children'> & {
  provider?: OperatedProvider;
  onGiven: (given: Given) => void;
}) {
  const t = useTexts();
  const submit = (fields: FormData) => {
    const text = (name: string) => String(fields.get(name) ?? '').trim();
    const domains = text('domains').split(/[\s,]+/);
    onGiven({
      ...{ name: text('name'), clientId: text('clientId') },
      domains: domains.filter((domain) => domain !== ''),
      ...{ createsAccounts: fields.has('createsAccounts'), findsByEmail: fields.has('findsByEmail') },
      ...{ needsSecondFactor: fields.has('needsSecondFactor'), passwordsOff: fields.has('passwordsOff') },
      ...(!provider && { issuer: text('issuer') }),
      ...(text('clientSecret') !== '' && { clientSecret: text('clientSecret') }),
    });
  };
  return (
    <FormDialog {...dialog} size="lg" onSubmit={submit}>
      <TextInput
        name="name"
        label={t('operate.provider.name')}
        description={t('operate.provider.nameHint')}
        defaultValue={provider?.name}
        maxLength={64}
        required
        data-autofocus
      />
      {!provider && (
        <TextInput
          name="issuer"
          label={t('operate.provider.issuer')}
          description={t('operate.provider.issuerHint')}
          placeholder="https://login.example.com/realms/company"
          inputMode="url"
          autoComplete="off"
          required
        />
      )}
      <TextInput
        name="clientId"
        label={t('operate.provider.clientId')}
        defaultValue={provider?.clientId}
        autoComplete="off"
        required
      />
      <PasswordInput
        name="clientSecret"
        label={t('operate.provider.clientSecret')}
        description={provider && t('operate.provider.keptSecret')}
        autoComplete="off"
        required={!provider}
      />
      <TextInput
        name="domains"
        label={t('operate.provider.domains')}
        description={t('operate.provider.domainsHint')}
        defaultValue={provider?.domains.join(', ')}
        placeholder="example.com"
        autoComplete="off"
      />
      {POLICIES.map((policy) => (
        <Checkbox
          key={policy}
          name={policy}
          label={t(`operate.provider.${policy}`)}
          description={t(`operate.provider.${policy}Hint`)}
          defaultChecked={provider ? provider[policy] : policy === 'createsAccounts'}
        />
      ))}
    </FormDialog>
  );
}
