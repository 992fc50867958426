/** The library for passkeys is loaded on first use: it would take a seventh of every start. */
export const loadWebauthn = () => import('@simplewebauthn/server');
