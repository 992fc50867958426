import { LIMITS } from '#contract/limits.ts';
import { makeSecret } from '#features/incoming-webhooks/secret.ts';
import { systemClock } from '#platform/clock.ts';
import { hashSecret } from '#platform/crypto/random-secrets.ts';
import { createIds } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { type ServerProcess, startParley } from '../tests/processes.ts';
import { createScratch, type Scratch } from '../tests/scratch.ts';
import { type SeededBot, seedBots } from './seed.ts';
import { seedGroups } from './seed-groups.ts';
import { seedSessions } from './seed-sessions.ts';

const REQUESTS = 20;
/** For a shape that costs far too much, fewer requests are enough. */
const MOST_MS = 1_000;
const BAR_MS = { with: 50, without: 5 };
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const FILE_TYPE = 'multipart/form-data; boundary=x';

const KINDS = { [JSON_TYPE]: 'JSON', [FORM_TYPE]: 'form', [FILE_TYPE]: 'file' };

interface Surface {
  path: string;
  type: typeof JSON_TYPE | typeof FORM_TYPE | typeof FILE_TYPE;
  bytes: number;
  credential: keyof typeof BAR_MS;
  headers?: Record<string, string>;
  shapes?: Record<string, Shape>;
}

/** A body of this many bytes. */
type Shape = (bytes: number) => string;

const list =
  (entry: string, field = 'a'): Shape =>
  (bytes) =>
    `{"b":"\\u0041","${field}":[${filled(`${entry},`, bytes - 40).slice(0, -1)}]}`;
const text =
  (piece: string, more = '"type":"text"', field = 'content'): Shape =>
  (bytes) =>
    `{${more},"${field}":"${filled(piece, bytes - more.length - field.length - 10)}"}`;
const fields =
  (value: string, separator: string): Shape =>
  (bytes) => {
    const pieces: string[] = [];
    for (let i = 0, length = 30; length < bytes; i++) {
      const piece = separator === '&' ? `f${i}=${value}` : `"f${i}":${value}`;
      length += piece.length + 1;
      if (length < bytes) pieces.push(piece);
    }
    return separator === '&' ? pieces.join('&') : `{${pieces.join()}}`;
  };

const JSON_SHAPES: Record<string, Shape> = {
  'empty objects': list('{}'),
  numbers: list('1'),
  'long numbers': list('111111111111111'),
  fields: fields('0', ','),
  'nested fields': fields('{"a":{}}', ','),
  deep: (bytes) => `{"a":${'['.repeat(bytes / 2 - 10)}${']'.repeat(bytes / 2 - 10)}}`,
  'one value for each 17 bytes': list('{"the name of it":"\\u00e4\\u00e4"}'),
  escapes: text('\\u0041'),
  quotes: text('\\"'),
  'names of prototypes': text('\\"__proto__\\":'),
};
const FORM_SHAPES: Record<string, Shape> = {
  fields: fields('', '&'),
  'percent signs': (bytes) => `f=${filled('%41', bytes - 2)}`,
  'plus signs': (bytes) => `f=${filled('a+', bytes - 2)}`,
  ampersands: (bytes) => '&'.repeat(bytes),
};
const part = (head: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\na\r\n`;
const FILE_SHAPES: Record<string, Shape> = {
  fields: (bytes) => filled(part('name="a"'), bytes),
  files: (bytes) => filled(part('name="file"; filename="a"'), bytes),
  boundaries: (bytes) => `${part('name="file"; filename="a"')}${filled('\r\n--', bytes - 100)}`,
};
const MCP_SHAPES: Record<string, Shape> = {
  ...JSON_SHAPES,
  batch: (bytes) => `[${filled('{"jsonrpc":"2.0","id":1,"method":"tools/list"},', bytes).slice(0, -1)}]`,
};
const POSTED_SHAPES: Record<string, Shape> = {
  ...JSON_SHAPES,
  code: text('`a`', '"a":0', 'text'),
  references: text('<!a>', '"a":0', 'text'),
  marks: text(' *a*', '"a":0', 'text'),
  entities: text('&amp;', '"a":0', 'text'),
  sections: list(`{"type":"section","text":{"type":"mrkdwn","text":"${'`a`'.repeat(6000)}"}}`, 'blocks'),
  labels: (bytes) =>
    `{"status":"x","groupLabels":{},"alerts":[${filled('{"labels":{"a":"b"}},', 420).slice(0, -1)}],"commonLabels":${fields('""', ',')(bytes - 500)}}`,
};

/**
 * The server's CPU time per request for bodies that are expensive to read, at the largest size that each surface accepts:
 * the shapes that cost most, and those above the bar.
 */
export async function benchBodies(): Promise<string[]> {
  await using scratch = await createScratch();
  const newId = createIds(systemClock, systemRandom);
  const bots = await seedBots(scratch.db, newId, 1);
  const surfaces = await openSurfaces(scratch, bots[0] as SeededBot);
  await using parley = await startParley(scratch.environment);
  const rows: { row: string; ms: number }[] = [];
  for (const surface of surfaces) {
    const shapes = surface.shapes ?? (surface.type === JSON_TYPE ? JSON_SHAPES : FORM_SHAPES);
    for (const [name, shape] of Object.entries(shapes)) {
      const { ms, status } = await measure(parley, surface, shape(surface.bytes));
      const bar = BAR_MS[surface.credential];
      const kind = KINDS[surface.type];
      const size = `${surface.bytes / 1024} KiB`;
      rows.push({
        ms: ms / bar,
        row: `| ${surface.path} | ${kind}, ${size} | ${name} | ${status} | ${ms.toFixed(1)} | ${bar} |`,
      });
    }
  }
  return [
    '| surface | body | shape | answer | server CPU ms per request | bar |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(({ row }) => row),
    '',
    `${rows.filter(({ ms }) => ms > 1).length} of ${rows.length} above the bar. Up to ${REQUESTS} requests each, one after the other.`,
  ];
}

async function openSurfaces({ db }: Scratch, bot: SeededBot): Promise<Surface[]> {
  const newId = createIds(systemClock, systemRandom);
  const [group] = await seedGroups(db, newId, [bot], { people: 1, memberBots: 0 });
  const secret = makeSecret(bot.appId, systemRandom);
  await db`
    insert into incoming_webhooks (app_id, webhook_id, group_id, name, secret_hash, created_by, created_at)
    values (${bot.appId}, ${newId('ihk')}, ${group?.groupId ?? ''}, 'Bench', ${hashSecret(secret)}, ${bot.personId}, 0)`;
  for (const extension of ['incoming_webhooks', 'mcp'])
    await db`insert into application_extensions (app_id, extension, switched_on_at) values (${bot.appId}, ${extension}, 0)`;
  const [cookie = ''] = await seedSessions(db, [bot.personId]);
  const stranger = { bytes: LIMITS.bodyBytesWithoutCredential, credential: 'without' } as const;
  const known = { type: JSON_TYPE, bytes: LIMITS.bodyBytes, credential: 'with' } as const;
  const headers = { authorization: `Bearer ${bot.key}` };
  const hooks = {
    path: '/hooks',
    bytes: LIMITS.incomingWebhookBytes,
    credential: 'with',
    headers: { 'x-secret': secret },
  } as const;
  return [
    ...['/oauth/token', '/oauth/revoke', '/api/auth/sign-in', '/api/auth/sign-up'].map((path) => ({
      ...stranger,
      path,
      type: JSON_TYPE as typeof JSON_TYPE,
    })),
    ...['/oauth/token', '/sign-out', '/language', '/email/confirm'].map((path) => ({
      ...stranger,
      path,
      type: FORM_TYPE as typeof FORM_TYPE,
    })),
    { ...known, path: '/v1/messages', headers },
    { ...known, path: '/v1/messages/group', headers },
    { ...known, path: '/mcp', headers, shapes: MCP_SHAPES },
    { ...known, path: '/v1/uploads', headers, type: FILE_TYPE, bytes: 8 * 1024 * 1024, shapes: FILE_SHAPES },
    { ...known, path: '/api/chat/messages', headers: { cookie } },
    { ...known, path: '/api/console/applications', headers: { cookie } },
    { ...hooks, type: JSON_TYPE, shapes: POSTED_SHAPES },
    { ...hooks, type: FORM_TYPE },
  ];
}

async function measure(parley: ServerProcess, surface: Surface, body: string) {
  const { path, type } = surface;
  const { 'x-secret': secret, ...headers } = surface.headers ?? {};
  const url = `${parley.url}${path}${secret === undefined ? '' : `/${secret}`}`;
  const send = async () => {
    const answer = await fetch(url, { method: 'POST', headers: { 'content-type': type, ...headers }, body });
    await answer.arrayBuffer();
    return answer.status;
  };
  const status = await send();
  const before = await parley.cpuMicroseconds();
  let [sent, spentMs] = [0, 0];
  while (sent < REQUESTS && spentMs < MOST_MS) {
    await send();
    sent++;
    spentMs = ((await parley.cpuMicroseconds()) - before) / 1000;
  }
  return { status, ms: spentMs / sent };
}

/** As often as it fits whole. */
function filled(piece: string, bytes: number): string {
  return piece.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(piece))));
}
