import { type ComponentProps, useState } from 'react';
import { sentPicture, useObjectUrl } from '../outbox/files.ts';

/** A picture of a message. */
export function Picture({
  fileUrl,
  alt = '',
  onError,
  ...shown
}: Pick<ComponentProps<'img'>, 'alt' | 'className' | 'loading' | 'decoding'> & {
  fileUrl: string;
  onError?: () => void;
}) {
  const [isUnreadable, setUnreadable] = useState(false);
  const file = isUnreadable ? undefined : sentPicture(fileUrl);
  const address = useObjectUrl(file);
  return (
    <img
      {...shown}
      src={file ? address : fileUrl}
      alt={alt}
      referrerPolicy="no-referrer"
      draggable={false}
      // The file may no longer be on the disk, or have changed since.
      onError={file ? () => setUnreadable(true) : onError}
    />
  );
}
