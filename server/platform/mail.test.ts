import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { readConfig } from '#platform/config.ts';
import { Metrics } from '#platform/monitoring/metrics.ts';
import { startMailServer } from '#testing/mail-server.ts';
import { countMails, sendMail } from './mail.ts';

test('e-mails are counted by outcome, and each outcome is exported before the first e-mail', async () => {
  const metrics = new Metrics();
  const logged: { host: string; reason: string }[] = [];
  const log = pino({}, { write: (line) => logged.push(JSON.parse(line)) });
  const counts = () =>
    Object.fromEntries(
      countMails(metrics)
        .lines()
        .map((line) => /outcome="(\w+)"\} (\d+)/.exec(line)?.slice(1) ?? []),
    );
  const none = { sent: '0', refused: '0', failed: '0', logged: '0' };
  assert.deepEqual(counts(), none);
  const mail = await startMailServer();
  const send = async (smtpUrl: string) => {
    const config = readConfig({ SMTP_URL: smtpUrl });
    return (await sendMail({ config, metrics, log }, 'ops@example.com', { subject: 'x', text: 'y' })).state;
  };
  assert.equal(await send(mail.url), 'sent');
  mail.answer = '550 no such mailbox';
  assert.equal(await send(mail.url), 'failed');
  await mail[Symbol.asyncDispose]();
  assert.equal(await send(mail.url), 'failed');
  assert.equal(await send(''), 'logged');
  assert.deepEqual(counts(), { sent: '1', refused: '1', failed: '1', logged: '1' });
  const { host } = new URL(mail.url);
  assert.deepEqual(
    logged.map((line) => [line.host, line.reason]),
    [
      [host, '550 after RCPT TO'],
      [host, `connect ECONNREFUSED ${host}`],
    ],
    'the log says what the operator can mend',
  );
});

test('only a mailbox that does not exist or is full counts as refused, whatever else is told after the recipient', async () => {
  await using mail = await startMailServer();
  const config = readConfig({ SMTP_URL: mail.url });
  const metrics = new Metrics();
  const reasons: string[] = [];
  const log = pino({}, { write: (line) => reasons.push(JSON.parse(line).reason) });
  const outcomes = {
    '550 5.1.1 <ops@example.com>: no such user': 'refused',
    '552 5.2.2 over quota': 'refused',
    '554 5.7.1 <ops@example.com>: Relay access denied': 'failed',
    '454 4.7.1 <ops@example.com>: Relay access denied': 'failed',
    '550 5.1.8 <alerts@localhost>: Domain not found': 'failed',
    '450 4.2.0 greylisted': 'failed',
    '451 try later': 'failed',
  };
  for (const [answer, outcome] of Object.entries(outcomes)) {
    const series = countMails(metrics).series({ outcome });
    mail.answer = answer;
    const before = series.value;
    await sendMail({ config, metrics, log }, 'ops@example.com', { subject: 'x', text: 'y' });
    assert.equal(series.value - before, 1, answer);
  }
  assert.equal(reasons[2], '554 5.7.1 after RCPT TO');
  assert.ok(reasons.every((reason) => !reason.includes('ops@')));

  mail.answer = '250 ok';
  await sendMail({ config, metrics, log }, 'ops@example.com', { subject: 'x', text: 'y' });
  assert.match(mail.mails[0]?.text ?? '', /^Auto-Submitted: auto-generated$/m);
});
