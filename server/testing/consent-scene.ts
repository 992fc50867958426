import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { fieldsOf, textOf } from './html-page.ts';
import { createWorldFor, type Person, type World } from './world.ts';

export const CALLBACK = 'https://diary.example.com/callback';
export const ALL_SCOPES = 'profile stories:read stories:write polls:write groups:manage';
export const FORM = 'application/x-www-form-urlencoded';

type ConsentScene = Awaited<ReturnType<typeof createConsentScene>>;

/** In a world of its own, until the test has ended. */
export async function consentScene(t: TestContext, options?: ConsentOptions) {
  return createConsentScene(await createWorldFor(t), options);
}

interface ConsentOptions {
  name?: string;
  redirectUri?: string;
}

/** An application, its owner, and a person who is asked for consent. */
export async function createConsentScene(
  world: World,
  { name = 'Weather Diary', redirectUri = CALLBACK }: ConsentOptions = {},
) {
  const [owner, person] = await world.people('Owner', 'Ada');
  const { appId } = await owner.creates(name);
  await owner.calls('POST', `/api/console/applications/${appId}/redirect-uris`, { redirectUri });
  return {
    world,
    owner,
    person,
    appId,
    /** The URL of a valid request, with changes; `undefined` leaves a parameter out. */
    url(changes: Record<string, string | undefined> = {}) {
      const query = {
        response_type: 'code',
        client_id: appId,
        redirect_uri: redirectUri,
        scope: 'profile',
        ...changes,
      };
      const given = Object.entries(query).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      );
      return `/oauth/authorize?${new URLSearchParams(given)}`;
    },
    get: (url: string, visitor?: Person) =>
      world.app.inject({ url, headers: visitor ? { cookie: visitor.cookie } : {} }),
    post: (
      fields: Record<string, string>,
      visitor = person,
      headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
    ) =>
      world.app.inject({
        method: 'POST',
        url: '/oauth/consent',
        headers: { cookie: visitor.cookie, 'content-type': FORM, ...headers },
        payload: new URLSearchParams(fields).toString(),
      }),
    async grants(): Promise<number> {
      const [row] = await world.db`select count(*) from grants`;
      return row?.['count'];
    },
  };
}

/** The sealed consent in a person's page. */
export async function consentOf(
  scene: ConsentScene,
  changes?: Record<string, string | undefined>,
): Promise<string> {
  const page = await scene.get(scene.url(changes), scene.person);
  assert.equal(page.statusCode, 200, textOf(page.body));
  return fieldsOf(page.body, '/oauth/consent')['consent'] as string;
}

/** Asserts the whole of an error page, including its details. */
export function assertErrorPage(
  answer: LightMyRequestResponse,
  status: number,
  detail: string,
  why?: string,
): void {
  const text = textOf(answer.body);
  assert.equal(answer.statusCode, status, `${why} ${text}`);
  assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(answer.headers.location, undefined);
  assert.equal(text.split('Details for support: ')[1], detail, why);
}
