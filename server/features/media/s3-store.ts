import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import { Agent } from 'undici';
import type { S3Config } from '#platform/config.ts';
import { unavailable } from '#platform/errors.ts';
import type { ByteRange } from './rules.ts';
import type { MediaStore, StagedFile } from './store.ts';

const RETRIES = 2;

/** How long to wait for the store before answering 503. */
export interface S3Limits {
  connectMs: number;
  /** From the request to the head of the response, including retries; not for uploads. */
  answerMs: number;
  /** Without a byte of a body in either direction, or without a response to a complete upload. */
  stallMs: number;
}

const LIMITS: S3Limits = { connectMs: 2_000, answerMs: 5_000, stallMs: 10_000 };

interface Question extends RequestInit {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
}

/** Uploads in a bucket of an S3-compatible store, addressed by path, which all of them support. */
export class S3Store implements MediaStore {
  readonly #client: AwsClient;
  readonly #base: string;
  readonly #dispatcher: Agent;
  readonly #answerMs: number;

  constructor(
    { endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Config,
    { connectMs, answerMs, stallMs }: S3Limits = LIMITS,
  ) {
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES });
    this.#base = `${endpoint}/${encodeURIComponent(bucket)}`;
    this.#dispatcher = new Agent({
      connect: { timeout: connectMs },
      headersTimeout: stallMs,
      bodyTimeout: stallMs,
    });
    this.#answerMs = answerMs;
  }

  async put(mediaId: string, { path, digest }: StagedFile): Promise<void> {
    // Streamed from the disk with a known length, which S3 requires.
    const body = await openAsBlob(path, { type: 'application/octet-stream' });
    const headers = { 'x-amz-content-sha256': digest };
    const answer = await this.#ask(pathOf(mediaId), [200], { method: 'PUT', body, headers });
    await answer.body?.cancel();
  }

  async read(mediaId: string, range: ByteRange | undefined): Promise<Readable | undefined> {
    const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {};
    const expected = range ? 206 : 200;
    const answer = await this.#askInTime(pathOf(mediaId), [expected, 404], { method: 'GET', headers });
    if (answer.status === expected && answer.body) return Readable.fromWeb(answer.body as ReadableStream);
    await answer.body?.cancel();
    return undefined;
  }

  async remove(mediaId: string): Promise<void> {
    const answer = await this.#askInTime(pathOf(mediaId), [200, 204, 404], { method: 'DELETE' });
    await answer.body?.cancel();
  }

  /** @throws ApiError 503 without the bucket, or the right to list it: for a missing object the answer is then 403, not 404 */
  async ask(): Promise<void> {
    await this.#askInTime('', [200], { method: 'HEAD' });
  }

  async #askInTime(path: string, expected: readonly number[], question: Question): Promise<Response> {
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new Error('the S3 store did not answer in time')),
      this.#answerMs,
    );
    try {
      return await this.#ask(path, expected, { ...question, signal: late.signal });
    } finally {
      // The body may take longer.
      clearTimeout(timer);
    }
  }

  /** @throws ApiError 503. The store's error text may contain names and keys, so it is not repeated. */
  async #ask(path: string, expected: readonly number[], question: Question): Promise<Response> {
    // Node's types describe another version of undici.
    const dispatcher = this.#dispatcher as unknown as NonNullable<RequestInit['dispatcher']>;
    const init = { ...question, dispatcher };
    const answer = await this.#client.fetch(`${this.#base}${path}`, init).catch((error) => {
      throw storeIsAway(error);
    });
    if (expected.includes(answer.status)) return answer;
    await answer.body?.cancel();
    throw storeIsAway(new Error(`the S3 store answered ${question.method} with ${answer.status}`));
  }
}

function pathOf(mediaId: string): string {
  return `/media/${mediaId}`;
}

function storeIsAway(cause: Error) {
  return unavailable('media.store-away', cause);
}
