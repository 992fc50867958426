import { Anchor, Switch } from '@mantine/core';
import type { Extension } from '#contract/applications.ts';
import { useSettings } from '../../ui/parts/change.ts';
import { useTexts } from '../../ui/texts.ts';
import { useApplication } from './layout.tsx';
import { useChange } from './queries.ts';

/** Switches an extension on or off; only the owner may. */
export function ExtensionSwitch({
  extension,
  label,
  hint,
}: {
  extension: Extension;
  label: string;
  hint: string;
}) {
  const t = useTexts();
  const { role, extensions } = useApplication();
  const add = useChange('POST /applications/:appId/extensions');
  const remove = useChange('DELETE /applications/:appId/extensions');
  const [{ isOn }, choose] = useSettings({ isOn: extensions.includes(extension) }, (chosen) =>
    (chosen.isOn ? add : remove).mutateAsync({ body: { extension } }),
  );
  return (
    <Switch
      label={label}
      description={role === 'owner' ? hint : t('console.application.ownerOnly')}
      checked={isOn}
      disabled={role !== 'owner'}
      onChange={({ currentTarget }) => choose({ isOn: currentTarget.checked })}
    />
  );
}

/** The lead of a section, with a link to its page of the guide. */
export function WithGuide({ href, children }: { href: string; children: string }) {
  const t = useTexts();
  return (
    <>
      {children}{' '}
      <Anchor href={href} inherit underline="always">
        {t('console.integrations.guide')}
      </Anchor>
    </>
  );
}
