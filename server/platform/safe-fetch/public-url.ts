import { invalidArgument } from '../errors.ts';
import { checkLink } from './url.ts';

/**
 * Validates a URL that people's clients will load: https, and public as far as its text shows. The service itself does not
 * fetch it (contract §2).
 *
 * @throws ApiError 400 naming the field
 */
export function requirePublicUrl(field: string, text: string): string {
  const checked = checkLink(text);
  if ('fault' in checked) throw invalidArgument(field, `url-${checked.fault}`);
  return text;
}
