import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openMediaStore } from '#features/media/open-store.ts';
import { systemClock } from '#platform/clock.ts';
import { formatKey, KEY_BYTES, parseKeys } from '#platform/crypto/keyring.ts';
import { loadKeyring, replaceKeys } from '#platform/crypto/master-keys.ts';
import { writeWhole } from '#platform/files/whole-file.ts';
import { systemRandom } from '#platform/random.ts';
import { readConfig, writeConfig } from '../../../sdk/cli/config-file.ts';
import { FileCursor, FileEventStore, FileTokenStore } from '../../../sdk/node/index.ts';

/** One change of what a program stores in files. */
interface Flow {
  prepare?(directory: string): Promise<unknown>;
  /** What it changes has to survive a power cut from then on. */
  change(directory: string): Promise<unknown>;
  /** Whether a directory holds the old state or the new one. @throws for any other */
  state(directory: string): Promise<'old' | 'new'>;
}

const OLD_KEYS = new Map([[1, Buffer.alloc(KEY_BYTES, 1)]]);
const NEW_KEYS = new Map([...OLD_KEYS, [2, Buffer.alloc(KEY_BYTES, 2)]]);
const CONTENT = 'x'.repeat(10_000);
const MEDIA = 'a'.repeat(27);
const TOKENS = { accessToken: 'xat_1', refreshToken: 'xrt_1', expiresAt: 1, scopes: ['profile' as const] };

const load = (dataDir: string) =>
  loadKeyring(
    { dataDir, masterKeys: undefined, masterKeysFile: undefined, databaseUrl: undefined },
    { random: systemRandom, clock: systemClock, log: { warn() {} } as never },
  );
const tokensIn = (directory: string) => new FileTokenStore({ directory: join(directory, 'tokens') });

export const FLOWS: Record<string, Flow> = {
  'the first encryption key': {
    change: load,
    async state(directory) {
      const found = await contentOf(join(directory, 'master.keys'));
      // The next start.
      await load(directory);
      return found === undefined ? 'old' : 'new';
    },
  },
  'keys rotate': {
    prepare: (directory) =>
      writeFile(join(directory, 'master.keys'), formatKey(1, OLD_KEYS.get(1) as Buffer)),
    change: (directory) => replaceKeys(join(directory, 'master.keys'), NEW_KEYS),
    async state(directory) {
      const keys = parseKeys(await readFile(join(directory, 'master.keys'), 'utf8'));
      return keys.size === NEW_KEYS.size ? 'new' : 'old';
    },
  },
  'an upload': {
    prepare: (directory) => writeFile(join(directory, 'staged'), CONTENT),
    change: (directory) =>
      storeIn(directory).put(MEDIA, { path: join(directory, 'staged'), size: CONTENT.length, digest: '' }),
    async state(directory) {
      const content = await storeIn(directory).read(MEDIA, undefined);
      return content === undefined ? 'old' : sameOr(await text(content), CONTENT, CONTENT);
    },
  },
  'a backup': {
    prepare: (directory) => writeFile(join(directory, 'parley.backup'), 'old'),
    change: (directory) =>
      writeWhole(join(directory, 'parley.backup'), async (file) => {
        for (let part = 0; part < 4; part++) await file.writeFile(CONTENT);
      }),
    async state(directory) {
      return sameOr(await readFile(join(directory, 'parley.backup'), 'utf8'), 'old', CONTENT.repeat(4));
    },
  },
  FileCursor: {
    prepare: (directory) => writeFile(join(directory, 'cursor'), '999'),
    change: (directory) => new FileCursor(join(directory, 'cursor')).write('1000'),
    async state(directory) {
      return sameOr(await new FileCursor(join(directory, 'cursor')).read(), '999', '1000');
    },
  },
  FileEventStore: {
    prepare: (directory) => mkdir(join(directory, 'events')),
    async change(directory) {
      const store = new FileEventStore({ directory: join(directory, 'events') });
      await store.claim('msg_1');
      await store.done('msg_1');
    },
    async state(directory) {
      const store = new FileEventStore({ directory: join(directory, 'events') });
      const claimed = await store.claim('msg_1');
      await store.release('msg_1');
      return sameOr(claimed, 'claimed', 'done');
    },
  },
  FileTokenStore: {
    prepare: (directory) => tokensIn(directory).update('ada', async () => TOKENS),
    change: (directory) =>
      tokensIn(directory).update('ada', async () => ({ ...TOKENS, refreshToken: 'xrt_2' })),
    async state(directory) {
      return sameOr((await tokensIn(directory).read('ada'))?.refreshToken, 'xrt_1', 'xrt_2');
    },
  },
  'parley login': {
    prepare: (directory) =>
      writeConfig({ XDG_CONFIG_HOME: directory }, { server: 'https://old.example.com' }),
    change: (directory) => writeConfig({ XDG_CONFIG_HOME: directory }, { server: 'https://new.example.com' }),
    async state(directory) {
      const { server } = await readConfig({ XDG_CONFIG_HOME: directory });
      return sameOr(server, 'https://old.example.com', 'https://new.example.com');
    },
  },
};

function storeIn(directory: string) {
  return openMediaStore({ s3: undefined, dataDir: directory });
}

function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

function sameOr(found: string | undefined, old: string, changed: string): 'old' | 'new' {
  if (found === changed) return 'new';
  if (found === old) return 'old';
  throw new Error(`neither the old content nor the new one: ${JSON.stringify(found?.slice(0, 40))}`);
}

// As the program that is traced.
const [, program, name = '', directory = ''] = process.argv;
if (program === import.meta.filename) {
  await FLOWS[name]?.change(directory);
  await mkdir(`${directory}.changed`);
}
