/** A required setting, which may be missing if it comes from the environment. @throws TypeError that names it */
export function required(name: string, value: string | undefined): string {
  if (!value) throw new TypeError(`${name} is required, and is ${value === '' ? 'empty' : 'not set'}`);
  return value;
}

/** The secrets of an application and of a person, by prefix. */
const SECRETS = {
  xk_live_: 'an API key',
  xcs_: 'a client secret',
  whsec_: 'a webhook secret',
  xat_: 'an access token',
  xrt_: 'a refresh token',
};

/**
 * A required secret, without the line break at the end that a file may have. No error shows it.
 *
 * @throws TypeError if it is missing, cannot be a secret, or is one of another kind
 */
export function requiredSecret(
  name: string,
  prefix: keyof typeof SECRETS,
  value: string | undefined,
): string {
  const given = required(name, value?.trim());
  if (!/^[!-~]+$/.test(given)) {
    throw new TypeError(
      `${name} must be ${SECRETS[prefix]} (${prefix}…), without spaces or special characters`,
    );
  }
  const [other] = Object.entries(SECRETS).filter(([one]) => one !== prefix && given.startsWith(one));
  if (other) {
    throw new TypeError(`${name} must be ${SECRETS[prefix]} (${prefix}…), and is ${other[1]} (${other[0]}…)`);
  }
  return given;
}

/** The address of the service, without a slash at the end, and without `/v1`. @throws TypeError */
export function requiredAddress(name: string, value: string | undefined): string {
  const given = required(name, value);
  if (!/^https?:\/\/(?!.*\/v1\/*$)/i.test(given) || !URL.canParse(given)) {
    throw new TypeError(`${name} must be an address such as http://localhost:3000, and is ${given}`);
  }
  return new URL(given).href.replace(/\/+$/, '');
}

/** A mistake in registering a handler shows at once, not with the first message. @throws TypeError */
export function requireHandler(handler: unknown): void {
  if (typeof handler !== 'function')
    throw new TypeError(`a handler must be a function, and is ${typeof handler}`);
}
