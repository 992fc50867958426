import { PictureField } from '../../ui/parts/picture-field.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Avatar } from '../media/avatar.tsx';

/** A group's photo. */
export function PhotoField({
  name,
  seed,
  photoUrl,
  photoSetBy,
  onChange,
}: {
  name: string;
  seed?: string;
  photoUrl: string | undefined;
  photoSetBy?: string | undefined;
  onChange: (photoUrl: string | undefined) => void;
}) {
  const t = useTexts();
  return (
    <PictureField
      name={name}
      pictureUrl={photoUrl}
      preview={<Avatar name={name || '?'} seed={seed} pictureUrl={photoUrl} from={photoSetBy} size={64} />}
      texts={{
        choose: t('chat.group.choosePhoto'),
        remove: t('chat.group.removePhoto'),
        hint: t('chat.group.photoHint'),
      }}
      onChange={(url) => onChange(url ?? undefined)}
    />
  );
}
