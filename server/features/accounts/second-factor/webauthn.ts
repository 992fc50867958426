/** The library for passkeys is loaded for the first who uses one: it would take a seventh of every start. */
export const loadWebauthn = () => import('@simplewebauthn/server');
