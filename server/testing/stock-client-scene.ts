import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { createWorldFor, type Person } from './world.ts';

/**
 * A listening server for unmodified OAuth clients, which are only configured to allow http.
 *
 * @param at the time of its clock, for clients that use the machine's clock
 * @param trustedHosts hosts on this machine that it may post to
 */
export async function stockClientScene(
  t: TestContext,
  { at, trustedHosts = [] }: { at?: number; trustedHosts?: string[] } = {},
) {
  const world = await createWorldFor(t, { webhookTrustedHosts: trustedHosts });
  if (at !== undefined) world.clock.advance({ milliseconds: at - world.clock.now() });
  await world.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = world.app.server.address() as AddressInfo;
  world.config.port = port;
  const issuer = new URL(`http://localhost:${port}`);
  return { world, issuer, client: await world.client(), person: await world.person('Ada') };
}

/** The person's browser: opens the address, approves on the page, and is sent back to the application. */
export async function approve(authorization: URL, { cookie }: Pick<Person, 'cookie'>): Promise<URL> {
  const browser = { cookie, 'sec-fetch-site': 'same-origin' };
  const page = await fetch(authorization, { headers: browser });
  assert.equal(page.status, 200);
  const consent = /name="consent" value="([^"]+)"/.exec(await page.text())?.[1];
  const decided = await fetch(new URL('/oauth/consent', authorization), {
    method: 'POST',
    headers: browser,
    body: new URLSearchParams({ consent: consent ?? '', decision: 'approve' }),
    redirect: 'manual',
  });
  assert.equal(decided.status, 303);
  return new URL(decided.headers.get('location') ?? '');
}
