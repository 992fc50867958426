import { withoutUnseen } from '../../../ui/shown-url.ts';

/** The name of a file, from its URL. */
export function fileNameOf(fileUrl: string): string {
  const { pathname, host } = new URL(fileUrl, 'https://this.server');
  const last = pathname.split('/').at(-1) ?? '';
  try {
    return withoutUnseen(decodeURIComponent(last)) || host;
  } catch {
    return withoutUnseen(last);
  }
}
