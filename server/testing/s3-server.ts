import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import http, { type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { S3Config } from '#platform/config.ts';
import { listening } from './free-port.ts';

export type S3Server = Awaited<ReturnType<typeof startS3Server>>;

const KEY = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const REGION = 'eu-test-1';
const BUCKET = 'uploads';

/** A minimal S3: one bucket in memory; every request must have a valid signature (AWS Signature Version 4). */
export async function startS3Server() {
  const objects = new Map<string, Buffer>();
  /** Refused requests, with the reasons. */
  const refusals: string[] = [];
  const server = http.createServer(async (request, response) => {
    const body = await buffer(request);
    const fault = findSignatureFault(request, body);
    if (fault) refusals.push(fault);
    const { pathname } = new URL(request.url ?? '', 'http://s3');
    if (!fault && request.method === 'HEAD' && pathname === `/${BUCKET}`) {
      response.end();
      return;
    }
    if (fault || !pathname.startsWith(`/${BUCKET}/`)) {
      response.writeHead(fault ? 403 : 404).end(`<Error><Code>${fault ?? 'NoSuchBucket'}</Code></Error>`);
      return;
    }
    const { status, headers, content } = answer(objects, request, {
      key: pathname.slice(BUCKET.length + 2),
      body,
    });
    response.writeHead(status, headers).end(content);
  });
  const port = await listening(server);
  return {
    config: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: BUCKET,
      region: REGION,
      ...KEY,
    } satisfies S3Config,
    objects,
    refusals,
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface S3Answer {
  status: number;
  headers?: Record<string, string | number>;
  content?: Buffer;
}

function answer(
  objects: Map<string, Buffer>,
  { method, headers }: IncomingMessage,
  { key, body }: { key: string; body: Buffer },
): S3Answer {
  if (method === 'PUT') {
    if (headers['content-length'] === undefined) return { status: 411 };
    objects.set(key, body);
    return { status: 200 };
  }
  if (method === 'DELETE') {
    objects.delete(key);
    return { status: 204 };
  }
  const object = objects.get(key);
  if (!object) return { status: 404 };
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  if (start === undefined) return { status: 200, content: object };
  return {
    status: 206,
    headers: { 'content-range': `bytes ${start}-${end}/${object.length}` },
    content: object.subarray(Number(start), Number(end) + 1),
  };
}

/** Recomputes the signature from the received request, as the AWS reference describes. */
function findSignatureFault({ method, url, headers }: IncomingMessage, body: Buffer): string | undefined {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (!match) return 'AuthorizationHeaderMalformed';
  const [, keyId, day = '', region, signedHeaders = '', signature = ''] = match;
  if (keyId !== KEY.accessKeyId) return 'InvalidAccessKeyId';
  if (region !== REGION) return 'AuthorizationHeaderMalformed';
  const signedNames = signedHeaders.split(';');
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => signedNames.includes(name))) {
    return 'AccessDenied';
  }
  const date = String(headers['x-amz-date']);
  if (!date.startsWith(day)) return 'AuthorizationHeaderMalformed';
  if (Math.abs(Date.now() - parseDate(date)) > 15 * 60_000) return 'RequestTimeTooSkewed';
  const payload = String(headers['x-amz-content-sha256']);
  if (body.length > 0 && payload !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const { pathname, searchParams } = new URL(url ?? '', 'http://s3');
  searchParams.sort();
  const canonical = [
    method,
    pathname,
    searchParams.toString(),
    ...signedNames.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders,
    payload,
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', date, `${day}/${REGION}/s3/aws4_request`, sha256(canonical)].join('\n');
  const key = [day, REGION, 's3', 'aws4_request'].reduce<Buffer>(
    (secret, part) => hmac(secret, part),
    Buffer.from(`AWS4${KEY.secretAccessKey}`),
  );
  const expected = hmac(key, toSign);
  return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? undefined : 'SignatureDoesNotMatch';
}

function parseDate(date: string): number {
  return Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest();
}
