import { invalidArgument } from '../errors.ts';
import { judgeLink } from './url.ts';

/**
 * Validates a URL that people's clients will load: https, and public as far as its text shows. The service itself does not
 * fetch it (contract §2).
 *
 * @throws ApiError 400 naming the field
 */
export function requirePublicUrl(field: string, text: string): string {
  const judged = judgeLink(text);
  if ('fault' in judged) throw invalidArgument(field, `url-${judged.fault}`);
  return text;
}
