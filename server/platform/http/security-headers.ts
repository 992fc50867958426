import type { Config } from '../config.ts';

/** Two years, as browsers ask for before they remember it for good. */
const HSTS = 'max-age=63072000; includeSubDomains';

/** Those that every browser knows: of others they complain. */
const UNUSED_FEATURES = ['camera', 'display-capture', 'midi', 'payment', 'usb'];
/** For places and voice messages, which the browser asks the person about. */
const USED_FEATURES = ['geolocation', 'microphone'];

/**
 * Headers of pages beside their policy: no page of another site keeps a handle on their window, they use few features of the
 * device, and the host names in links are looked up only when somebody follows them.
 */
export const PAGE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'x-dns-prefetch-control': 'off',
  'permissions-policy': [
    ...UNUSED_FEATURES.map((feature) => `${feature}=()`),
    ...USED_FEATURES.map((feature) => `${feature}=(self)`),
  ].join(', '),
} as const;

/** Headers of a file that pages of other sites may show. */
export const SHOWN_ELSEWHERE = { 'cross-origin-resource-policy': 'cross-origin' } as const;

/**
 * Headers of every answer. The policy lets nothing be loaded, which suits JSON; an answer that is a page sets
 * its own `content-security-policy`.
 */
export function securityHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    ...(publicUrl?.startsWith('https://') && { 'strict-transport-security': HSTS }),
  };
}
