import { spawnSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type LaunchPlan, launchCommand } from './launch.ts';

/** The operating system user that PostgreSQL runs as. */
export interface Account {
  uid: number;
  gid: number;
  name: string;
}

const PREFERRED = ['postgres', 'nobody'];

/**
 * Chooses the user that PostgreSQL runs as. PostgreSQL refuses to run as root, so root uses the owner of the existing data,
 * otherwise `postgres` or `nobody`; an ordinary user runs it directly (undefined).
 */
export async function accountForPostgres(cluster: string): Promise<Account | undefined> {
  const self = process.geteuid?.();
  if (self === undefined) return undefined;
  const owner = await stat(cluster).catch(() => undefined);
  if (self !== 0) {
    if (owner && owner.uid !== self) {
      throw new Error(
        `${cluster} belongs to user id ${owner.uid}, and this is user id ${self}: start Parley as that user or as root`,
      );
    }
    return undefined;
  }
  const accounts = parseAccounts(await readFile('/etc/passwd', 'utf8'));
  if (owner?.uid === 0) {
    throw new Error(
      `${cluster} belongs to root, as whom PostgreSQL does not run: give it to another user with chown -R`,
    );
  }
  if (owner) {
    const known = accounts.find(({ uid }) => uid === owner.uid);
    return known ?? { uid: owner.uid, gid: owner.gid, name: String(owner.uid) };
  }
  for (const name of PREFERRED) {
    const account = accounts.find((candidate) => candidate.name === name && candidate.uid !== 0);
    if (account) return account;
  }
  throw new Error(
    'PostgreSQL does not run as root and there is no user "postgres" or "nobody" to lend it: ' +
      'start Parley as an ordinary user, or set DATABASE_URL',
  );
}

function parseAccounts(passwd: string): Account[] {
  return passwd.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

/**
 * The first is the weakest that lets a process traverse closed directories; containers often withhold it and grant the
 * other.
 */
const PASSING_CAPABILITIES = ['dac_read_search', 'dac_override'];

/**
 * How to start PostgreSQL as the account, or as the current user without one. Tested on the program before it is returned.
 */
export async function planLaunch(
  account: Account | undefined,
  { postgres, dataDir }: { postgres: string; dataDir: string },
): Promise<LaunchPlan> {
  const dieWithParent = works({ prefix: DIE_WITH_PARENT, ids: undefined }, 'true') ? DIE_WITH_PARENT : [];
  if (!account) return { prefix: dieWithParent, ids: undefined };
  const { uid, gid, name } = account;
  const obstacle = (await findObstacle(dirname(postgres), account)) ?? (await findObstacle(dataDir, account));
  const plans = obstacle
    ? PASSING_CAPABILITIES.map((capability) => passClosedDirectories(account, capability))
    : [{ prefix: [], ids: { uid, gid } }];
  const plan = plans.find((candidate) => works(candidate, postgres));
  if (plan) return { ...plan, prefix: [...plan.prefix, ...dieWithParent] };
  throw new Error(
    `PostgreSQL does not run as root, and the user "${name}" may not ${obstacle ? `enter ${obstacle}` : 'run it'}: ` +
      'move Parley and its data elsewhere, start it as an ordinary user, or set DATABASE_URL',
  );
}

/** On Linux, if available, stops PostgreSQL when Parley is killed: SIGINT is its clean, fast shutdown. */
const DIE_WITH_PARENT = ['setpriv', '--pdeathsig=INT'];

/** For a clone in /root. PostgreSQL checks itself with access(2), which honours capabilities only with this secure bit. */
function passClosedDirectories({ uid, gid }: Account, capability: string): LaunchPlan {
  const prefix = [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    `--inh-caps=+${capability}`,
    `--ambient-caps=+${capability}`,
    '--securebits=+no_setuid_fixup',
  ];
  return { prefix, ids: undefined };
}

/** The first directory on the way to (and including) this one that the account may not enter. */
async function findObstacle(directory: string, account: Account): Promise<string | undefined> {
  const parent = dirname(directory);
  if (parent !== directory) {
    const obstacle = await findObstacle(parent, account);
    if (obstacle) return obstacle;
  }
  const { uid, gid, mode } = await stat(directory);
  const searchBit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  return mode & searchBit ? undefined : directory;
}

function works(plan: LaunchPlan, program: string): boolean {
  const { command, args, spawnOptions } = launchCommand(plan, program, ['--version']);
  return spawnSync(command, args, { ...spawnOptions, stdio: 'ignore' }).status === 0;
}
