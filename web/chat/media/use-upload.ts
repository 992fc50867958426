import { useCallback, useEffect, useState } from 'react';
import { upload } from '../../ui/media.ts';
import { exceededLimit, type FileForm, kindOf } from './forms.ts';
import { posterOf } from './poster.ts';

export type UploadState =
  | { step: 'too-large' }
  | { step: 'poster' }
  | { step: 'sending'; share: number }
  | { step: 'done'; fileUrl: string; thumbnailUrl?: string }
  | { step: 'failed'; error: unknown; isPoster: boolean };

/** Uploads a file in the form in which it will be sent, a video with a still picture; anew when the form changes. */
export function useUpload(file: File, form: FileForm): { state: UploadState; retry: () => void } {
  const [state, setState] = useState<UploadState>({ step: 'sending', share: 0 });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is the same upload once more.
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const show = (next: UploadState) => {
      if (!signal.aborted) setState(next);
    };
    // Nobody waits for an upload that will be refused.
    if (exceededLimit(file, form) !== undefined) return setState({ step: 'too-large' });
    const run = async () => {
      let isPoster = form === 'video';
      try {
        let thumbnailUrl: string | undefined;
        if (isPoster) {
          show({ step: 'poster' });
          const poster = await posterOf(file);
          isPoster = false;
          thumbnailUrl = (await upload(poster, 'image', { signal })).url;
        }
        show({ step: 'sending', share: 0 });
        const onProgress = (share: number) => show({ step: 'sending', share });
        const { url } = await upload(file, kindOf(form), { onProgress, signal });
        show({ step: 'done', fileUrl: url, ...(thumbnailUrl && { thumbnailUrl }) });
      } catch (error) {
        show({ step: 'failed', error, isPoster });
      }
    };
    void run();
    return () => leaving.abort();
  }, [file, form, attempt]);
  useEffect(warnOfLeaving, []);
  return { state, retry: useCallback(() => setAttempt((before) => before + 1), []) };
}

/** The outbox keeps texts over a reload, not files: until one is sent, the browser asks before it leaves the page. */
function warnOfLeaving(): () => void {
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  addEventListener('beforeunload', warn);
  return () => removeEventListener('beforeunload', warn);
}
