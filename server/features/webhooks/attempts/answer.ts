import type { ReceiverAnswer } from '#contract/webhooks.ts';
import type { Keyring, Sealed, SealingContext } from '#platform/crypto/keyring.ts';
import type { PostResult } from '#platform/safe-fetch/safe-post.ts';

const MAX_HEADERS = 2 * 1024;
/** Control characters, which text does not have. */
const CONTROL = /[^\P{Cc}\t\n\r]/u;

/** An attempt of an event, by its number over all replays. */
interface AttemptKey {
  deliveryId: string;
  seq: number;
}

/** The answer to a failed attempt, as it is stored; undefined if there is none to keep. */
export function sealAnswer(
  keyring: Keyring,
  key: AttemptKey,
  result: PostResult | undefined,
): Sealed | undefined {
  if (result?.kind !== 'response' || !result.answer) return undefined;
  const { head, body } = result.answer;
  const answer = {
    ...readHeaders(head.slice(head.indexOf('\n') + 1).trimEnd()),
    ...readBody(Buffer.from(body, 'latin1'), result.bodyBytes > body.length),
  };
  return keyring.seal(contextOf(key), Buffer.from(JSON.stringify(answer)));
}

/** Undefined if it cannot be read. */
export function openAnswer(keyring: Keyring, key: AttemptKey, sealed: Sealed): ReceiverAnswer | undefined {
  const opened = keyring.openIfReadable(contextOf(key), sealed);
  return opened && JSON.parse(opened.toString());
}

function readHeaders(text: string): Pick<ReceiverAnswer, 'headers' | 'areHeadersCut'> {
  const lines = text.slice(0, MAX_HEADERS).split('\r\n');
  const headers = lines.flatMap((line) => {
    const [, name, value] = /^([^:]+):(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [{ name, value: value.trim() }];
  });
  return { headers, areHeadersCut: text.length > MAX_HEADERS };
}

function readBody(bytes: Buffer, isCut: boolean): Pick<ReceiverAnswer, 'body' | 'isBinary' | 'isCut'> {
  const body = readText(bytes, isCut);
  return { body: body ?? '', isBinary: body === undefined, isCut };
}

/** Undefined for what is not text. The last character is left out if it was cut. */
function readText(bytes: Buffer, isCut: boolean): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
    return CONTROL.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function contextOf({ deliveryId, seq }: AttemptKey): SealingContext {
  return { table: 'event_attempts', rowId: `${deliveryId}:${seq}` };
}
