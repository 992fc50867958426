import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';

const RULES = 'deploy/prometheus/parley.rules.yml';
const TESTS = 'deploy/prometheus/parley.rules.test.yml';
const run = promisify(execFile);

interface RuleTests {
  tests: { name: string; alert_rule_test: { alertname: string; exp_alerts?: object[] }[] }[];
}

async function readAlerts(): Promise<string[]> {
  const { groups } = parse(await readFile(RULES, 'utf8')) as { groups: { rules: { alert: string }[] }[] };
  return groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).sort();
}

test('promtool confirms that each alert fires as its tests say, and that the configuration is valid', async () => {
  await run('promtool', ['check', 'config', 'deploy/prometheus/prometheus.yml']);
  const { stdout } = await run('promtool', ['test', 'rules', TESTS]);
  assert.match(stdout, /SUCCESS/);
});

test('each alert fires in its fault, and stays silent for a dead webhook', async () => {
  const { tests } = parse(await readFile(TESTS, 'utf8')) as RuleTests;
  const alerts = await readAlerts();
  const fired = tests.flatMap(({ alert_rule_test: cases }) =>
    cases.filter(({ exp_alerts }) => exp_alerts?.length).map(({ alertname }) => alertname),
  );
  assert.deepEqual([...new Set(fired)].sort(), alerts);
  const deadWebhook = tests.find(({ name }) => name.startsWith('one webhook is dead'));
  const silent = deadWebhook?.alert_rule_test.map(({ alertname, exp_alerts }) => {
    assert.equal(exp_alerts, undefined, alertname);
    return alertname;
  });
  assert.deepEqual([...new Set(silent)].sort(), alerts);
});

test('the monitoring page explains exactly the existing alerts', async () => {
  const page = await readFile('docs/operate/monitoring.md', 'utf8');
  const explained = [...page.matchAll(/^\| (Parley\w+) \|/gm)].map(([, alert]) => alert).sort();
  assert.deepEqual(explained, await readAlerts());
});
