import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Media } from '#contract/media.ts';
import type { Config } from '#platform/config.ts';
import { createWorld, type Person, type World } from './world.ts';

/** An upload by a person. `query` is the query of the request: kind and fileName. */
export function upload(
  { app }: Pick<World, 'app'>,
  { cookie }: Pick<Person, 'cookie'>,
  query: string,
  file: Buffer,
  headers: Record<string, string> = {},
) {
  return app.inject({
    method: 'POST',
    url: `/api/chat/media?${query}`,
    headers: {
      cookie,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-whatever',
      ...headers,
    },
    payload: file,
  });
}

/**
 * A world with a data directory of its own, and people who upload.
 */
export async function uploadScene(t: TestContext, config: Partial<Config> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-media-'));
  const world = await createWorld({ dataDir, ...config });
  t.after(async () => {
    await world[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true });
  });
  return {
    world,
    mediaDir: join(dataDir, 'media'),
    upload: (person: Person, query: string, file: Buffer, headers?: Record<string, string>) =>
      upload(world, person, query, file, headers),
    async uploads(person: Person, query: string, file: Buffer): Promise<Media> {
      const answer = await upload(world, person, query, file);
      assert.equal(answer.statusCode, 201, answer.body);
      return answer.json().data;
    },
    get: (url: string, headers: Record<string, string> = {}) => world.app.inject({ url, headers }),
    staged: () => readdir(join(dataDir, 'media', 'staging')),
  };
}
