import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { MEDIA_BYTES } from '#contract/media.ts';
import { SETTINGS } from '#platform/config/settings.ts';
import { startRedis } from '#testing/redis.ts';
import { eventually } from '#testing/waits.ts';
import { createPair } from '../chaos/population.ts';
import { startParley } from '../processes.ts';
import { createScratch } from '../scratch.ts';

/** An image by its version for people, and by its digest for Docker, which ignores the version then. */
const PINNED = /^[a-z]+:\d+[a-z-]*@sha256:[0-9a-f]{64}$/;

const read = (path: string) => readFile(path, 'utf8');

/** Names of metrics in a query, without the suffixes that Prometheus adds to a histogram. */
function metricNames(text: string): string[] {
  const found = text.matchAll(/\b(?:parley|process|nodejs)_[a-z_]+\b/g);
  return [...new Set([...found].map(([name]) => name.replace(/_(bucket|sum|count)$/, '')))];
}

const METRICS_TOKEN = 'a-token-for-metrics';
/** The files that the Dockerfile copies into the image. */
async function copiedIntoImage(): Promise<string[]> {
  const dockerfile = await read('deploy/Dockerfile');
  return [...dockerfile.matchAll(/^COPY --from=build \/parley\/(\S+)/gm)].map(([, path]) => path ?? '');
}

const started = new AsyncDisposableStack();
after(() => started.disposeAsync());
const scratch = started.use(await createScratch());
const image = join(scratch.directory, 'image');
for (const path of await copiedIntoImage()) {
  await mkdir(dirname(join(image, path)), { recursive: true });
  if (path === 'node_modules') await symlink(resolve(path), join(image, path));
  else await cp(path, join(image, path), { recursive: true });
}
const settings = {
  ...scratch.environment,
  DATA_DIR: scratch.directory,
  METRICS_TOKEN,
  REDIS_URL: started.use(await startRedis()).url,
  PROCESSES: '2',
  WEBHOOK_TRUSTED_HOSTS: 'localhost:1',
};
const server = started.use(await startParley(settings, { cwd: image }));

test('the image has all files that a server needs for its pages, documentation and packages', async () => {
  const addresses = ['/', '/console', '/docs/', '/docs/changelog', '/docs/guide/examples', '/docs/operate/'];
  addresses.push(
    '/docs/reference/messages',
    '/openapi.json',
    '/sdk/parley-sdk.tgz',
    '/sdk/parley-testing.tgz',
  );
  for (const address of addresses) assert.equal((await fetch(server.url + address)).status, 200, address);
});

test('every metric used by the dashboard and the alerts is exported by a running server', async () => {
  // A person writes to a bot whose receiver is unreachable.
  await createPair(server.url, 0, 'http://localhost:1/hook');
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const ask = async () => (await fetch(`${server.url}/metrics`, { headers })).text();
  // The worker exports its attempt counter after the first attempt.
  const told = await eventually(async () => {
    const text = await ask();
    return text.includes('parley_webhook_attempts_total') ? text : undefined;
  });
  const present = [...told.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  for (const file of [
    'deploy/grafana/parley.json',
    'deploy/prometheus/parley.rules.yml',
    'deploy/prometheus/parley.rules.test.yml',
  ]) {
    const wanted = metricNames(await read(file)).filter((name) => name !== 'parley_');
    assert.ok(wanted.length >= 6, `${file} asks for metrics`);
    assert.deepEqual(
      wanted.filter((name) => !present.includes(name)),
      [],
      file,
    );
  }
});

test('the dashboard is complete: every panel has a query, a unique id and a position', async () => {
  const { panels } = JSON.parse(await read('deploy/grafana/parley.json')) as {
    panels: { id: number; gridPos: object; targets: { expr: string; legendFormat: string }[] }[];
  };
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  assert.equal(new Set(panels.map(({ gridPos }) => JSON.stringify(gridPos))).size, panels.length);
  for (const { expr, legendFormat } of panels.flatMap(({ targets }) => targets)) {
    assert.ok(expr.length > 0);
    // A series of each process that the query does not merge is named after it.
    if (!/^(sum|min|max|topk|histogram_quantile)\b/.test(expr))
      assert.ok(legendFormat.startsWith('{{instance}} {{process}}'), expr);
  }
});

test('every alert says what happened and what to do', async () => {
  const { groups } = parse(await read('deploy/prometheus/parley.rules.yml'));
  for (const { alert, expr, labels, annotations } of groups[0].rules) {
    assert.ok(alert && expr, alert);
    assert.match(labels.severity, /^(warning|critical)$/, alert);
    assert.ok(annotations.summary && annotations.action, alert);
  }
});

test('the Compose file sets only settings that exist, passes on all others, keeps the keys in a folder, and pins its images', async () => {
  const compose = parse(await read('deploy/compose.yaml'), { merge: true });
  for (const name of ['api', 'worker']) {
    const service = compose.services[name];
    assert.deepEqual(
      Object.keys(service.environment).filter((setting) => !(setting in SETTINGS)),
      [],
    );
    assert.equal(service.env_file, '.env');
    // The range of the network is Docker's choice.
    assert.match(service.environment.TRUST_PROXY, /^\$\{TRUST_PROXY:-/);
    const { MASTER_KEYS_FILE: keyFile } = service.environment;
    // A file mounted on its own keeps its old content when "keys rotate" replaces it.
    assert.ok(service.volumes.includes(`./keys:${dirname(keyFile)}`));
    for (const needed of Object.keys(service.depends_on)) assert.ok(compose.services[needed].healthcheck);
    assert.ok(existsSync(`deploy/${service.build.context}/${service.build.dockerfile}`));
  }
  assert.equal(compose.services.api.environment.DATABASE_URL.startsWith('postgres://'), true);
  assert.equal(compose.services.worker.environment.ROLES, 'worker');
  for (const { image } of [compose.services.postgres, compose.services.redis]) assert.match(image, PINNED);
});

test('the image runs without privileges, and starts an existing file', async () => {
  const dockerfile = await read('deploy/Dockerfile');
  assert.equal(dockerfile.match(/^USER (\S+)$/m)?.[1], 'node');
  assert.ok(dockerfile.indexOf('USER node') < dockerfile.indexOf('VOLUME'));
  const settings =
    /^ENV (.*)$/m
      .exec(dockerfile)?.[1]
      ?.split(' ')
      .map((pair) => pair.split('=')[0] ?? '') ?? [];
  assert.deepEqual(
    settings.filter((name) => name !== 'NODE_ENV' && !(name in SETTINGS)),
    [],
  );

  assert.match(dockerfile, /^STOPSIGNAL SIGTERM$/m);
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is Dockerfile syntax
  assert.deepEqual(bases, ['${BASE}', '${BASE}'], 'what builds is not what runs');
  assert.match(/^ARG BASE=(\S+)$/m.exec(dockerfile)?.[1] ?? '', PINNED);
  const check = /^HEALTHCHECK .* CMD node (\S+)$/m.exec(dockerfile)?.[1] ?? '';
  assert.ok((await copiedIntoImage()).includes(check), 'the image has its health check');
  const ignored = (await read('.dockerignore')).split('\n');
  for (const secret of ['data', 'deploy/.env', 'deploy/keys']) assert.ok(ignored.includes(secret), secret);
});

test('the proxies let the largest upload through', async () => {
  const largest = Math.max(...Object.values(MEDIA_BYTES));
  const nginx = /client_max_body_size (\d+)m;/.exec(await read('deploy/nginx.conf'))?.[1];
  // For Caddy, MB means 10^6 bytes.
  const caddy = /max_size (\d+)MiB/.exec(await read('deploy/Caddyfile'))?.[1];
  for (const mebibytes of [nginx, caddy]) assert.ok(Number(mebibytes) * 2 ** 20 > largest, mebibytes);
});

test('the units start an existing file as a user of their own', async () => {
  const failed = /^OnFailure=(.*)$/m.exec(await read('deploy/systemd/parley-backup.service'))?.[1];
  assert.ok(existsSync(`deploy/systemd/${failed}`), 'a failed backup starts a unit of ours');
  for (const unit of ['parley', 'parley-backup']) {
    const text = await read(`deploy/systemd/${unit}.service`);
    assert.match(text, /^User=parley$/m);
    assert.match(text, /^ExecStart=.*server\/cli\.ts (start|backup)/m);
    assert.equal(/^WorkingDirectory=(.*)$/m.exec(text)?.[1], '/opt/parley');
  }
});

test('systemd rates the exposure of the units as low', async () => {
  for (const unit of ['parley', 'parley-backup']) {
    const options = ['security', '--offline=yes', '--no-pager', '--threshold=20'];
    await promisify(execFile)('systemd-analyze', [...options, `deploy/systemd/${unit}.service`]);
  }
});
