import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import type { S3Config } from '#platform/config.ts';
import type { ByteRange } from './rules.ts';
import type { MediaStore, StagedFile } from './store.ts';

const RETRIES = 2;
const PUT_MS = 5 * 60_000;
const ASK_MS = 30_000;

/** Uploads in a bucket of an S3-compatible store, addressed by path as all of them understand it. */
export class S3Store implements MediaStore {
  readonly #client: AwsClient;
  readonly #base: string;

  constructor({ endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Config) {
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES });
    this.#base = `${endpoint}/${encodeURIComponent(bucket)}/media`;
  }

  async put(mediaId: string, { path, digest }: StagedFile): Promise<void> {
    // Read from the disk as it is sent; its length is known, as S3 demands.
    const body = await openAsBlob(path, { type: 'application/octet-stream' });
    const answer = await this.#client.fetch(`${this.#base}/${mediaId}`, {
      method: 'PUT',
      body,
      headers: { 'x-amz-content-sha256': digest },
      signal: AbortSignal.timeout(PUT_MS),
    });
    await finish(answer, 'PUT', [200]);
  }

  async read(mediaId: string, range: ByteRange | undefined): Promise<Readable | undefined> {
    const answer = await this.#client.fetch(`${this.#base}/${mediaId}`, {
      headers: range ? { range: `bytes=${range.start}-${range.end}` } : {},
    });
    if (answer.status === (range ? 206 : 200) && answer.body) {
      return Readable.fromWeb(answer.body as ReadableStream);
    }
    await finish(answer, 'GET', [404]);
    return undefined;
  }

  async remove(mediaId: string): Promise<void> {
    const answer = await this.#client.fetch(`${this.#base}/${mediaId}`, {
      method: 'DELETE',
      signal: AbortSignal.timeout(ASK_MS),
    });
    await finish(answer, 'DELETE', [200, 204, 404]);
  }
}

/** What the store says beside the status may hold names and keys: it is not repeated. */
async function finish(answer: Response, method: string, expected: readonly number[]): Promise<void> {
  await answer.body?.cancel();
  if (!expected.includes(answer.status))
    throw new Error(`the S3 store answered ${method} with ${answer.status}`);
}
