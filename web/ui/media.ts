import type { Media } from '#contract/media.ts';
import { refusalOf, unreachable, withQuery } from './api.ts';
import { text } from './texts.ts';
import { withoutLocation } from './without-location/without-location.ts';

/** An upload without progress for this long is aborted. */
const STALL_TIMEOUT_MS = 30_000;
/** The same once all of it is sent: a proxy or the server's store may be slower. */
const ANSWER_TIMEOUT_MS = 120_000;

/** Uploads a file as the body of one request, a photo or video without its location; `onProgress` receives the share sent so far, from 0 to 1. */
export async function upload(
  file: File,
  kind: Media['kind'],
  { onProgress, signal }: { onProgress?: (share: number) => void; signal?: AbortSignal } = {},
): Promise<Media> {
  const body = await toSend(file, kind);
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', withQuery('/api/chat/media', { kind, fileName: file.name }));
    request.responseType = 'json';
    request.setRequestHeader('content-type', file.type || 'application/octet-stream');
    let stalled: ReturnType<typeof setTimeout>;
    const noteProgress = (timeoutMs: number) => {
      clearTimeout(stalled);
      stalled = setTimeout(() => request.abort(), timeoutMs);
    };
    request.upload.onload = () => noteProgress(ANSWER_TIMEOUT_MS);
    request.upload.onprogress = ({ loaded, total }) => {
      noteProgress(STALL_TIMEOUT_MS);
      onProgress?.(total === 0 ? 1 : loaded / total);
    };
    request.onloadend = () => clearTimeout(stalled);
    request.onload = () => {
      if (request.status === 201) return resolve(request.response.data);
      reject(refusalOf(request, request.response, (name) => request.getResponseHeader(name)));
    };
    request.onerror = () => reject(unreachable());
    request.onabort = () => reject(signal?.aborted ? signal.reason : unreachable());
    signal?.addEventListener('abort', () => request.abort());
    noteProgress(STALL_TIMEOUT_MS);
    request.send(body);
  });
}

async function toSend(file: File, kind: Media['kind']): Promise<Blob> {
  try {
    // Browsers report a file that they cannot read like a server that they cannot reach.
    await file.slice(0, 1).arrayBuffer();
    return await withoutLocation(file, kind);
  } catch {
    throw new Error(text('ui.common.fileUnreadable'));
  }
}
