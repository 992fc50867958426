import assert from 'node:assert/strict';
import { chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { createAuthority } from '#testing/certificates.ts';
import { scratchFolder } from '#testing/scratch-folder.ts';
import { PATIENT } from '#testing/waits.ts';
import { openDatabase } from '../database.ts';
import { startEmbeddedPostgres } from '../embedded-postgres.ts';

const log = pino({ level: 'silent' });

test('sslmode has the same meaning as in psql', async (t) => {
  const dataDir = await scratchFolder(t);
  await (await startEmbeddedPostgres({ dataDir, log })).stop();
  const cluster = join(dataDir, 'postgres');
  const { uid, gid } = await stat(cluster);
  const authority = createAuthority();
  const { cert, key } = authority.issue({ hosts: ['localhost'] });
  await writeFile(join(dataDir, 'authority.pem'), authority.pem);
  for (const [name, text] of Object.entries({ 'server.crt': cert, 'server.key': key })) {
    await writeFile(join(cluster, name), text, { mode: 0o600 });
    await chown(join(cluster, name), uid, gid);
  }
  await writeFile(join(cluster, 'postgresql.auto.conf'), 'ssl = on\n');
  await using postgres = await startEmbeddedPostgres({ dataDir, log });

  const isEncrypted = async (parameters: Record<string, string>, hostname = 'localhost') => {
    const url = new URL(postgres.url);
    url.hostname = hostname;
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    const db = openDatabase({ url: url.href, poolSize: 1, ...PATIENT });
    try {
      const [row] = await db`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
      return row?.['ssl'];
    } finally {
      await db.end({ timeout: 1 });
    }
  };
  const sslrootcert = join(dataDir, 'authority.pem');
  assert.equal(await isEncrypted({}), false);
  assert.equal(await isEncrypted({ sslmode: 'disable' }), false);
  assert.equal(await isEncrypted({ sslmode: 'require' }), true);
  assert.equal(await isEncrypted({ sslmode: 'verify-full', sslrootcert }), true);
  assert.equal(await isEncrypted({ sslmode: 'verify-ca', sslrootcert }, '127.0.0.1'), true);
  await assert.rejects(isEncrypted({ sslmode: 'verify-full' }), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  const elsewhere = isEncrypted({ sslmode: 'verify-full', sslrootcert }, '127.0.0.1');
  await assert.rejects(elsewhere, { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
});
