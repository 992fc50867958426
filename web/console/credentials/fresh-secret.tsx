import { CopyField } from '../../ui/parts/copy-field.tsx';
import { ShownOnce } from '../../ui/parts/shown-once.tsx';
import { useTexts } from '../../ui/texts.ts';

/** A new secret, shown until the developer confirms that it is stored. */
export function FreshSecret({
  label,
  value,
  onStored,
}: {
  label: string;
  value: string | undefined;
  onStored: () => void;
}) {
  const t = useTexts();
  if (value === undefined) return null;
  return (
    <ShownOnce
      title={label}
      done={t('console.credentials.done')}
      leave={{ title: t('console.credentials.leaveTitle'), text: t('console.credentials.leaveText') }}
      size="lg"
      onStored={onStored}
    >
      <CopyField label={label} value={value} hint={t('console.credentials.shownOnce')} />
    </ShownOnce>
  );
}
