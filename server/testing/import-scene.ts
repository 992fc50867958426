import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { ChatMessage } from '#contract/chat.ts';
import type { S3Config } from '#platform/config.ts';
import { exportCommands } from '../cli/export.ts';
import { historyCommands } from '../cli/import.ts';
import { allTables } from '../distribution/tables.ts';
import { Person } from './actors.ts';
import { installation } from './installation.ts';

export interface Imported {
  counts: Record<string, number>;
  text: string;
}

export type ImportScene = Awaited<ReturnType<typeof importScene>>;

/** A server with its own database, keys and uploads, these in its data directory or an S3 store, into which something is imported. */
export async function importScene(t: TestContext, s3?: S3Config) {
  const commands = [...historyCommands, ...exportCommands];
  const { world, directory, run, ...own } = await installation(t, commands, { s3 });
  const environment: Record<string, string | undefined> = {
    ...own.environment,
    S3_ENDPOINT: s3?.endpoint,
    S3_BUCKET: s3?.bucket,
    S3_REGION: s3?.region,
    S3_ACCESS_KEY_ID: s3?.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3?.secretAccessKey,
  };
  return {
    world,
    directory,
    environment,
    /** Writes a file of an export; returns its path. */
    async file(path: string, content: string | Buffer) {
      const file = join(directory, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      return file;
    },
    async imports(product: string, file: string, ...given: string[]): Promise<Imported> {
      const options = given.flatMap((one) => {
        const [name, value] = one.split('=', 2);
        return value === undefined ? [] : [[name, value]];
      });
      const outcome = await run(`import ${product}`, [file], {
        options: Object.fromEntries(options),
        flags: given.filter((one) => !one.includes('=')),
        settings: environment,
      });
      return { counts: (outcome.data as Imported).counts, text: outcome.text };
    },
    /** Exports the server into a file of this name; returns its path. */
    async exports(name: string, options: Record<string, string> = {}) {
      const file = join(directory, name);
      await run('export server', [file], { options, settings: environment });
      return file;
    },
    /** Somebody who has an account with a confirmed address. */
    async member(name: string, email: string) {
      const person = await world.person(name);
      const { accountId } = person;
      await world.db.begin(async (tx) => {
        await tx`insert into unique_names (value, kind, owner_id) values (${email}, 'email', ${accountId})`;
        await tx`
          update accounts set email = ${email}, email_confirmed_at = ${world.clock.now()}
          where account_id = ${accountId}`;
      });
      return person;
    },
    /** Signs in as the owner of an account that an import created. */
    async owner(name: string) {
      const [found] = await world.db<{ accountId: string }[]>`
        select account_id from accounts where name = ${name}`;
      if (!found) throw new Error(`${name} has no account`);
      return Person.signIn(world, { ...found, name });
    },
    /** Number of rows of every table. */
    async rows(): Promise<Record<string, number>> {
      const counts = allTables().map(async (table) => {
        const [row] = await world.db<{ count: number }[]>`
          select count(*)::integer as count from ${world.db(table)}`;
        return [table, row?.count ?? 0] as const;
      });
      return Object.fromEntries(await Promise.all(counts));
    },
  };
}

/** A conversation as its list shows it, by the name of the group or of the other side. */
export async function listed(person: Person) {
  const { body } = await person.calls('GET', '/api/chat/conversations');
  const all = body.data.conversations as {
    conversationId: string;
    unreadCount: number;
    isAdmin: boolean;
    mayWrite: boolean;
    mentionMsgId?: string;
    peer?: { name: string };
    group?: { name: string; description: string; memberCount: number };
    lastMessage?: ChatMessage;
  }[];
  return new Map(all.map((one) => [one.group?.name ?? one.peer?.name ?? '', one]));
}

/** The ids of the messages that are pinned in a conversation. */
export async function pinned(person: Person, conversationId: string): Promise<string[]> {
  const { body } = await person.calls('GET', `/api/chat/conversations/${conversationId}/pins`);
  return body.data.messages.map(({ msgId }: ChatMessage) => msgId);
}

/** The messages of a conversation, oldest first. */
export async function thread(person: Person, conversationId: string): Promise<ChatMessage[]> {
  const { body } = await person.calls('GET', `/api/chat/conversations/${conversationId}/messages`);
  return body.data.messages.toReversed();
}
