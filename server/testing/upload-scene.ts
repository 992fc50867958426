import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Media } from '#contract/media.ts';
import type { Config } from '#platform/config.ts';
import { countWaiting } from './citus.ts';
import { scratchFolder } from './scratch-folder.ts';
import { createWorldFor, type Person, type World } from './world.ts';

/** Two that need the row of an upload: the second begins while the first waits for it. */
export async function oneAfterTheOther<A, B>(
  { db }: Pick<World, 'db'>,
  one: () => Promise<A>,
  other: () => Promise<B>,
): Promise<[A, B]> {
  const waitsFor = async (count: number) => {
    while ((await countWaiting(db)) < count);
  };
  const uploads = await db<{ mediaId: string }[]>`select media_id from media`;
  return db
    .begin(async (tx) => {
      for (const { mediaId } of uploads) await tx`select from media where media_id = ${mediaId} for update`;
      const first = one();
      await waitsFor(1);
      const second = other();
      await waitsFor(2);
      return [first, second] as const;
    })
    .then((begun) => Promise.all(begun));
}

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

/** A world with a data directory of its own, and people who upload. */
export async function uploadScene(t: TestContext, config: Partial<Config> = {}) {
  const dataDir = await scratchFolder(t);
  const world = await createWorldFor(t, { dataDir, ...config });
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
