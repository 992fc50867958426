import type { Media } from '#contract/media.ts';
import { ApiError, refusalOf, withQuery } from './api.ts';

/** Uploads a file as the body of one request; `onProgress` hears the share sent so far, from 0 to 1. */
export function upload(
  file: File,
  kind: Media['kind'],
  { onProgress, signal }: { onProgress?: (share: number) => void; signal?: AbortSignal } = {},
): Promise<Media> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', withQuery('/api/chat/media', { kind, fileName: file.name }));
    request.responseType = 'json';
    request.setRequestHeader('content-type', file.type || 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total === 0 ? 1 : loaded / total);
    request.onload = () => {
      if (request.status === 201) return resolve(request.response.data);
      reject(refusalOf(request, request.response, (name) => request.getResponseHeader(name)));
    };
    request.onerror = () => reject(new ApiError(0, 'unreachable', 'the server cannot be reached'));
    request.onabort = () => reject(signal?.reason);
    signal?.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}
