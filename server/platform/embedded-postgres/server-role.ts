import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, escapeLiteral } from 'pg';
import { writeWhole } from '../files/whole-file.ts';
import { systemRandom } from '../random.ts';
import type { Account } from './account.ts';
import { clusterUrl, type Login, readSuperuser, SUPERUSER } from './cluster.ts';

/** The role that the server connects as: it owns the tables, but may neither read the machine's files nor run programs. */
const ROLE = 'parley_server';
const PASSWORD_FILE = 'parley-server-password';

const HAND_TABLES_OVER = `
  do $$
  declare tab regclass;
  begin
    for tab in
      select oid from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relowner = '${SUPERUSER}'::regrole
    loop
      execute format('alter table %s owner to ${ROLE}', tab);
    end loop;
  end $$`;

/** Undefined if the cluster is of an earlier version and has no such role yet. */
export async function readServerLogin(cluster: string): Promise<Login | undefined> {
  try {
    return { user: ROLE, password: (await readFile(join(cluster, PASSWORD_FILE), 'utf8')).trim() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Creates the server's role if it does not exist, and makes it the owner of the superuser's tables from earlier versions.
 */
export async function ensureServerRole(
  cluster: string,
  { port, account }: { port: number; account: Account | undefined },
): Promise<Login> {
  const client = new Client({ connectionString: clusterUrl(await readSuperuser(cluster), port) });
  // If the connection breaks between two statements, the next one fails.
  client.on('error', () => {});
  await client.connect();
  try {
    const known = await readServerLogin(cluster);
    const login = known ?? { user: ROLE, password: systemRandom.bytes(24).toString('base64url') };
    const { rows } = await client.query('select from pg_roles where rolname = $1', [ROLE]);
    const isThere = rows.length > 0;
    if (!known || !isThere) {
      const password = escapeLiteral(login.password);
      await client.query(`${isThere ? 'alter' : 'create'} role ${ROLE} login password ${password}`);
      // The owner of the database may create tables in its schema `public`.
      await client.query(`alter database postgres owner to ${ROLE}`);
    }
    await client.query(HAND_TABLES_OVER);
    // Last, since a stored password means that the role is ready.
    if (!known) await keepPassword(cluster, login.password, account);
    return login;
  } finally {
    await client.end();
  }
}

/** Stored beside the superuser's password, with the same permissions. */
async function keepPassword(cluster: string, password: string, account: Account | undefined): Promise<void> {
  await writeWhole(join(cluster, PASSWORD_FILE), async (file) => {
    await file.writeFile(`${password}\n`);
    if (account) await file.chown(account.uid, account.gid);
  });
}
