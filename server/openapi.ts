import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { systemClock } from '#platform/clock.ts';
import { settingsTable } from '#platform/config/shown.ts';
import { readConfig } from '#platform/config.ts';
import { KEY_BYTES, Keyring } from '#platform/crypto/keyring.ts';
import { openDatabase } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { UNSHARDED } from '#platform/partitioning/shards.ts';
import { platformOf } from '#platform/platform.ts';
import { systemRandom } from '#platform/random.ts';
import { ADDRESS } from '#surfaces/openapi/about.ts';
import { createHttp } from './app.ts';

const CONFIGURATION = 'docs/operate/configuration.md';
const configuration = await readFile(CONFIGURATION, 'utf8');

/** The files made from tables in the code. */
const GENERATED = {
  'contract/openapi.json': await describeRoutes(),
  [CONFIGURATION]: configuration.replace(
    /(?<=<!-- settings:begin .*-->\n)[\s\S]*?(?=\n<!-- settings:end -->)/,
    settingsTable,
  ),
};

for (const [path, text] of Object.entries(GENERATED)) {
  if (!process.argv.includes('--check')) await writeFile(path, text);
  else if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
    console.error(`${path} is not what the code says; run: npm run openapi`);
    process.exitCode = 1;
  }
}

async function describeRoutes(): Promise<string> {
  const db = openDatabase({ url: 'postgres://nowhere.invalid/', poolSize: 1 });
  const platform = platformOf({
    config: readConfig({ PUBLIC_URL: ADDRESS }),
    log: createLog('silent'),
    clock: systemClock,
    db,
    keyring: new Keyring(new Map([[1, Buffer.alloc(KEY_BYTES)]]), systemRandom),
    shards: UNSHARDED,
  });
  const app = await createHttp(platform);
  await app.ready();
  const document = app.swagger();
  await app.close();
  await db.end({ timeout: 0 });
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
