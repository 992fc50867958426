import {
  type AccountHere,
  findAccountsHere,
  findForImport,
  findUsernameOwners,
  type ImportedAccount,
  importAccounts,
  importPeople,
  importTestPeople,
  withoutDeleted,
} from '#features/accounts/index.ts';
import { importApplication, isApplicationHere } from '#features/applications/index.ts';
import { insertBot } from '#features/bots/index.ts';
import { ExportError } from '../import/items.ts';
import { unconfirmedError } from '../import/people.ts';
import type { BringDeps, Read } from './deps.ts';
import { checkAddresses, keepFiles, recordUses } from './files.ts';
import { Account, columnsOf } from './format.ts';

const COLUMNS = columnsOf(Account);

type Accounts = readonly Read<'account'>[];

/** Stores accounts that are new. People whose address somebody has confirmed here keep their account here. */
export async function bringAccounts(deps: BringDeps, accounts: Accounts): Promise<void> {
  const { db, ids, report, isDry, clock } = deps;
  const here = await findAccountsHere(
    db,
    accounts.map(({ line }) => line.accountId),
  );
  for (const [accountId, { isDeleted }] of here) if (isDeleted) ids.deleted.add(accountId);
  for (const { line, where } of accounts) {
    if (line.isBot) ids.bots.add(line.accountId);
    const one = here.get(line.accountId);
    if (one && isSomebodyElse(one, line))
      throw new ExportError(where, `${line.accountId}, ${line.email}, is the id of ${one.email} here`);
  }
  report.count('accounts that are here', here.size);
  const others = accounts.filter(({ line }) => !here.has(line.accountId));
  const matched = await matchPeople(deps, others);
  const usernames = others.flatMap(({ line }) => line.username ?? []);
  const ownerOf = await findUsernameOwners(db, usernames);
  const created: { row: ImportedAccount; read: Read<'account'> }[] = [];
  for (const read of others) {
    const { line, where } = read;
    if (ids.accounts.has(line.accountId)) continue;
    const owner = line.username === undefined ? undefined : ownerOf.get(line.username);
    if (owner !== undefined && line.isBot && line.deletedAt === undefined)
      throw new Error(`the username ${line.username} of a bot belongs to somebody else here: free it first`);
    if (owner !== undefined) report.count('usernames that are taken');
    if (line.deletedAt !== undefined) ids.deleted.add(line.accountId);
    const kind = line.isBot ? 'new bots' : 'new people';
    report.count(line.deletedAt === undefined ? kind : 'accounts of people who left');
    checkAddresses(where, [line.pictureUrl]);
    const row = Object.fromEntries(COLUMNS.map((name) => [name, line[name as keyof typeof line] ?? null]));
    created.push({
      row: { ...row, ...(owner !== undefined && { username: null }) } as ImportedAccount,
      read,
    });
  }
  for (const { read } of created) await keepFiles(deps, read.line.files, read.where);
  if (isDry) return;
  await db.begin(async (tx) => {
    const [taken] = await importAccounts(
      tx,
      created.map(({ row }) => row),
    );
    if (taken !== undefined) throw new Error(`somebody has just taken ${taken}: run the import again`);
    await importPeople(tx, { created: [], matched, at: clock.now() });
    for (const { read } of created) {
      const { accountId, appId = accountId, pictureUrl, deletedAt } = read.line;
      if (deletedAt === undefined) await recordUses(tx, deps, [pictureUrl], appId);
    }
  });
}

/** Imports of another product name people after that product alone, so that two servers can have one id for two people. */
function isSomebodyElse(
  { isDeleted, createdAt, email }: AccountHere,
  line: Pick<Read<'account'>['line'], 'createdAt' | 'email'>,
): boolean {
  return !isDeleted && line.email != null && line.email !== email && line.createdAt !== createdAt;
}

/** @throws if somebody's address belongs to an account that has not confirmed it */
async function matchPeople(
  { db, ids, report, matchesUnconfirmed }: BringDeps,
  accounts: Accounts,
): Promise<{ key: string; accountId: string }[]> {
  const people = accounts.flatMap(({ line: { accountId, isBot, email } }) =>
    isBot ? [] : { accountId, key: `parley:${accountId}`, email },
  );
  const matches = await findForImport(db, people);
  const matched: { key: string; accountId: string }[] = [];
  const unconfirmed: string[] = [];
  for (const [i, { accountId, key, email = '' }] of people.entries()) {
    const match = matches[i];
    if (!match || match.state === 'new') continue;
    if (match.state === 'unconfirmed' && !matchesUnconfirmed) unconfirmed.push(email);
    if (match.isDeleted) ids.deleted.add(match.accountId);
    ids.add(accountId, match.accountId);
    matched.push({ key, accountId: match.accountId });
  }
  if (unconfirmed.length > 0) throw unconfirmedError(unconfirmed);
  report.count('people with an account here', matched.length);
  return matched;
}

/** Stores applications that are new, with their bots, and without secrets. */
export async function bringApplications(
  deps: BringDeps,
  applications: readonly Read<'application'>[],
): Promise<void> {
  const { db, ids, report, isDry } = deps;
  for (const { line } of applications) {
    const { kind: _, bot, ...application } = ids.translate(line);
    const isNew = isDry
      ? !(await isApplicationHere(db, application.appId))
      : await db.begin(async (tx) => {
          const locked = await importApplication(tx, deps, application);
          if (locked && bot) await insertBot(tx, locked, bot);
          return locked !== undefined;
        });
    report.count(isNew ? 'applications' : 'applications that are here');
  }
}

export async function bringTestPeople(
  { db, ids, isDry }: BringDeps,
  people: readonly Read<'testPerson'>[],
): Promise<void> {
  const rows = ids.translate(people.map(({ line }) => line));
  if (!isDry) await db.begin(async (tx) => importTestPeople(tx, await withoutDeleted(tx, rows)));
}
