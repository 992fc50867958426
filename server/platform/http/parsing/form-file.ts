import { PassThrough, pipeline, type Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { say } from '#contract/reasons.ts';
import { ApiError, invalidArgument } from '../../errors.ts';

/** The one file of a `multipart/form-data` body, read as it arrives. */
export interface FormFile {
  /** Ends with an ApiError if the form is faulty, once all of it has arrived. */
  content: Readable;
  /** Known once the content has ended. */
  fileName(): string;
}

/** More than any form has; each part costs more than the bytes in it. */
const MAX_PARTS = 100;
/** Other fields are ignored. */
const LIMITS = { fields: 20, fieldSize: 1024, fieldNameSize: 100, files: 5, parts: MAX_PARTS };

/**
 * Opens a form whose field `file` is a file; a second file is an error.
 *
 * @throws ApiError 415
 */
export function openFormFile(contentType: string | undefined, body: Readable): FormFile {
  const parser = createParser(contentType);
  const content = new PassThrough();
  // It may fail before anybody reads it.
  content.on('error', () => undefined);
  let fileName: string | undefined;
  let fault: ApiError | undefined;
  parser.on('file', (name, file, given) => {
    if (name === 'file' && fileName === undefined) {
      // Browsers escape these characters, and no name needs them.
      fileName = given?.replace(/["\r\n]|%22|%0[AD]/gi, '') ?? '';
      file.pipe(content, { end: false });
      // The parser ends with the same error.
      file.once('error', () => undefined);
      // Many clients read the answer only after they have sent everything.
      content.once('close', () => file.resume());
      return;
    }
    fault ??= name === 'file' ? invalidArgument('file', 'repeated') : invalidArgument(name ?? '', 'unknown');
    file.once('error', () => undefined).resume();
  });
  let hasTooMany = false;
  parser.once('partsLimit', () => {
    hasTooMany = true;
    fault = invalidArgument('body', 'too-many-fields', { count: MAX_PARTS });
  });
  const untilTooMany = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) if (!hasTooMany) yield chunk;
  };
  pipeline(body, untilTooMany, parser, (error) => {
    if (error && !body.errored)
      fault ??= invalidArgument('body', /end of/.test(error.message) ? 'ended-early' : 'not-valid');
    if (!error && fileName === undefined) fault ??= invalidArgument('file', 'required');
    const failure = fault ?? error;
    if (failure) content.destroy(failure);
    else content.end();
  });
  return { content, fileName: () => fileName ?? '' };
}

function createParser(contentType = ''): BusboyInstance {
  try {
    if (/^multipart\/form-data\b/i.test(contentType))
      return new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS });
  } catch {
    // Without a boundary.
  }
  throw new ApiError(415, 'invalid-argument', say('http.content-type', { type: 'multipart/form-data' }));
}
