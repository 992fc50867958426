import { type Database, openDatabase } from '#platform/database.ts';
import { privateConversationId } from '#platform/ids.ts';
import { createWorld } from '#testing/world.ts';
import type { Scratch } from '../tests/scratch.ts';
import { type OwnValue, type Sent, toScript } from './pgbench.ts';

const MESSAGES = 60;
const BOUNDARY = /^(begin|commit)\b/i;

/**
 * Makes one request of each kind, and turns its database statements into a pgbench script. If clients would wait for each
 * other on a row, each gets a row of its own, with a key derived from its number.
 */
export async function recordTransactions({ db, databaseUrl }: Scratch, clients: number) {
  let sent: Sent[] = [];
  await using world = await createWorld(
    {},
    {
      database: { url: databaseUrl, [Symbol.asyncDispose]: async () => {} },
      watch: () =>
        openDatabase({
          url: databaseUrl,
          poolSize: 2,
          onStatement: (text, parameters) => sent.push({ text, parameters: [...parameters] }),
        }),
    },
  );
  const record = async (act: () => Promise<{ status: number }>): Promise<Sent[]> => {
    sent = [];
    const { status } = await act();
    if (status !== 200) throw new Error(`the request to record was answered ${status}`);
    return sent.filter(({ text }) => !BOUNDARY.test(text));
  };

  const person = await world.person();
  const bot = await world.bot({ requestsPerMinute: 1_000_000 });
  await db`update api_keys set scopes = '{messages:send,groups:manage,polls:write}'`;
  await person.writes(bot, 'hello');
  for (let i = 0; i < MESSAGES; i++) {
    await bot.calls('POST', '/v1/messages', { to: person.accountId, type: 'text', content: 'x'.repeat(40) });
  }
  const conversationId = privateConversationId(person.accountId, bot.accountId);
  const page = await record(() => person.calls('GET', `/api/chat/conversations/${conversationId}/messages`));

  const client = await world.client();
  const { refresh } = await client.tokens({ person, scopes: ['profile'] });
  const [grant] = await db<{ familyId: string; refreshHash: string }[]>`
    select family_id, encode(refresh_hash, 'hex') as refresh_hash from grants where app_id = ${client.appId}`;
  if (!grant) throw new Error('no grant was created');
  const family = ownId('fam_', grant.familyId);
  await multiply(db, { table: 'grants', clients, own: { familyId: family } });
  const rotation = await record(() => client.refreshes(refresh));
  const after = await db<{ refreshHash: string }[]>`
    select encode(refresh_hash, 'hex') as refresh_hash from grants where family_id = ${grant.familyId}`;
  // The new token equals the old one, so that the next transaction can present it again.
  const again = { recorded: after[0]?.refreshHash ?? '', expression: `'${grant.refreshHash}'` };

  const { body: group } = await bot.calls('POST', '/v1/groups', {
    name: 'Group',
    members: [person.accountId],
  });
  const { body: poll } = await bot.calls('POST', '/v1/polls', {
    groupId: group.data.groupId,
    question: 'Tea or coffee?',
    options: ['Tea', 'Coffee'],
  });
  const { msgId, poll: asked } = poll.data;
  const vote = () => bot.calls('POST', '/v1/polls/vote', { messageId: msgId, optionId: asked.options[0].id });
  await vote();
  // A repeated vote is retracted. This comes first: it does no harm if there is nothing to retract.
  const voting = [await record(vote), await record(vote)];
  const voter = ownId('usr_', bot.accountId);
  const application = ownId('app_', bot.appId);
  const message = ownId('msg_', msgId);
  for (const [table, own] of Object.entries({
    accounts: { accountId: voter, appId: application },
    applications: { appId: application },
    apiKeys: { appId: application },
    bots: { appId: application, accountId: voter },
    members: { accountId: voter, botAppId: application },
    messages: { msgId: message },
    polls: { msgId: message },
    uniqueNames: { value: message },
  })) {
    await multiply(db, { table, clients, own });
  }
  await db`analyze`;
  return {
    page: toScript([page], []),
    rotation: toScript([rotation], [family, again]),
    voteOnOne: toScript(voting, [voter, application]),
    voteOnMany: toScript(voting, [voter, application, message]),
  };
}

function ownId(prefix: string, recorded: string): OwnValue {
  return { recorded, expression: `'${prefix}' || lpad((:client_id + 1)::text, 24, '0')` };
}

/** Copies the recorded row for each client, with keys of its own. */
async function multiply(
  db: Database,
  { table, clients, own }: { table: string; clients: number; own: { [column: string]: OwnValue } },
): Promise<void> {
  const columns = Object.entries(own);
  const keys = columns.flatMap(([column, { expression }]) => [
    `'${toSnakeCase(column)}'`,
    expression.replace(':client_id', 'client'),
  ]);
  const [[first, { recorded }]] = columns as [[string, OwnValue]];
  await db.unsafe(
    `insert into ${toSnakeCase(table)}
     select (jsonb_populate_record(original, jsonb_build_object(${keys.join()}))).*
     from ${toSnakeCase(table)} original, generate_series(0, ${clients - 1}) client
     where original.${toSnakeCase(first)} = '${recorded}'`,
  );
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
