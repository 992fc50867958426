import type { Config } from '../config.ts';

/** Two years, as browsers ask for before they remember it for good. */
const HSTS = 'max-age=63072000; includeSubDomains';

/**
 * What every answer tells browsers. The policy lets nothing be loaded, which suits JSON; an answer that is a page sets
 * its own `content-security-policy`.
 */
export function securityHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(publicUrl?.startsWith('https://') && { 'strict-transport-security': HSTS }),
  };
}
