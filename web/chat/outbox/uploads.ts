import type { Unsent } from './store.ts';

/** The fields that an upload adds to the content of its message. */
export type Uploaded = Pick<Unsent['content'], 'fileUrl' | 'thumbnailUrl' | 'fileDetails'>;

export type Upload = (
  unsent: Unsent,
  options: { signal: AbortSignal; onProgress: (share: number) => void },
) => Promise<Uploaded>;

/** The server limits concurrent uploads of one person, and other traffic needs some of the bandwidth. */
const AT_ONCE = 2;

/** Whether its file has to be uploaded before the message can go. */
export function isUploadDue({ file, content, fault }: Unsent): boolean {
  return file !== undefined && content.fileUrl == null && fault === undefined;
}

/** The uploads in progress, a few at a time. */
export class Uploads {
  readonly #running = new Map<string, { share: number; leaving: AbortController }>();

  /** The uploaded share of a file, from 0 to 1; undefined while it is not being uploaded. */
  shareOf(key: string): number | undefined {
    return this.#running.get(key)?.share;
  }

  /** Starts as many of the given messages' uploads as the limit allows. */
  start(
    all: readonly Unsent[],
    upload: Upload,
    {
      onProgress,
      onDone,
      onFailed,
    }: {
      onProgress: () => void;
      onDone: (unsent: Unsent, uploaded: Uploaded) => void;
      onFailed: (unsent: Unsent, error: unknown) => void;
    },
  ): void {
    for (const unsent of all) {
      if (this.#running.size >= AT_ONCE) return;
      if (!isUploadDue(unsent) || this.#running.has(unsent.key)) continue;
      const running = { share: 0, leaving: new AbortController() };
      this.#running.set(unsent.key, running);
      const { signal } = running.leaving;
      const report = (share: number) => {
        running.share = share;
        onProgress();
      };
      const ended = (settle: () => void) => {
        if (signal.aborted) return;
        this.#running.delete(unsent.key);
        settle();
      };
      // Listeners must not run synchronously within the call.
      Promise.resolve()
        .then(() => upload(unsent, { signal, onProgress: report }))
        .then(
          (uploaded) => ended(() => onDone(unsent, uploaded)),
          (error: unknown) => ended(() => onFailed(unsent, error)),
        );
    }
  }

  /** Cancels the upload of a message, or all. */
  stop(key?: string): void {
    for (const [running, { leaving }] of this.#running) {
      if (key !== undefined && running !== key) continue;
      this.#running.delete(running);
      leaving.abort();
    }
  }
}
