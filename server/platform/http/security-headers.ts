import type { Config } from '../config.ts';

/** Two years, as recommended for browsers' preload lists. */
const HSTS = 'max-age=63072000; includeSubDomains';

/** Only features that every browser knows: browsers log warnings about others. */
const UNUSED_FEATURES = ['camera', 'display-capture', 'midi', 'payment', 'usb'];
/** For locations and voice messages, which need the person's permission in the browser. */
const USED_FEATURES = ['geolocation', 'microphone'];

/**
 * Headers of pages besides their policy: pages of other sites keep no reference to their window, they may use few features
 * of the device, and host names in links are resolved only when somebody follows them.
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
 * Headers of every response. The policy allows no resources, which suits JSON; pages set their own
 * `content-security-policy`.
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
