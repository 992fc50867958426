import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { MediaKind } from '#contract/choices.ts';
import { type ClientApplication, startClientApplication } from '../client-application.ts';
import type { WebScene } from './web-scene.ts';

/** One call of the public API, by an application for a person. */
export async function call(origin: string, token: string, path: string, body: object): Promise<number> {
  const answer = await fetch(`${origin}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.status;
}

/** Uploads bytes as the person signed in on the page. */
export async function uploadFile(
  page: Page,
  origin: string,
  kind: MediaKind,
  bytes: Buffer,
  fileName: string,
): Promise<string> {
  const path = `/api/chat/media?${new URLSearchParams({ kind, fileName })}`;
  const headers = { origin, 'content-type': 'application/octet-stream' };
  const answer = await page.request.post(path, { data: bytes, headers });
  assert.equal(answer.status(), 201, await answer.text());
  return (await answer.json()).data.url;
}

/** A picture of hills under a sky, so that a photo in the chat looks real. */
export async function paintHills(scene: Pick<WebScene, 'chromium'>, hue = 210): Promise<Buffer> {
  const page = await scene.chromium.newPage({ viewport: { width: 900, height: 600 } });
  const hills = [0, 1, 2]
    .map((i) => {
      const y = 300 + i * 90;
      return `<path fill="hsl(${hue - i * 25} 40% ${62 - i * 16}%)" d="M0 ${y} Q 220 ${y - 150} 450 ${y - 20} T 900 ${y - 60} V 600 H 0 Z"/>`;
    })
    .join('');
  await page.setContent(
    `<style>body{margin:0;background:linear-gradient(hsl(${hue} 70% 78%),hsl(40 90% 88%))}</style>
     <svg viewBox="0 0 900 600" width="900" height="600"><circle cx="690" cy="140" r="52" fill="#fff6d8"/>${hills}</svg>`,
  );
  const picture = await page.screenshot({ type: 'jpeg', quality: 80 });
  await page.close();
  return picture;
}

/** An application that the person on this page gives access to, with its token. */
export async function connectApplication(
  page: Page,
  origin: string,
  name: string,
  scope: string,
): Promise<ClientApplication & { accessToken: string }> {
  const client = await startClientApplication(origin, name);
  await page.goto(client.authorizeUrl(scope, 'state'));
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.waitForURL('**/welcome');
  const { body } = await client.posts('/oauth/token', {
    grant_type: 'authorization_code',
    code: client.returns.at(-1)?.get('code') ?? '',
    redirect_uri: client.redirectUri,
  });
  return { ...client, accessToken: String(body['access_token']) };
}
