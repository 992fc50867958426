import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { type Said, say } from '#contract/reasons.ts';
import { success } from '#testing/answers.ts';
import { ownConsole } from '#testing/webhook-console.ts';
import { checkSignature, type PastedRequest } from './signature-check.ts';

const [OWN, PREVIOUS, FOREIGN] = ['own', 'previous', 'foreign'].map(
  (name) => `whsec_${Buffer.from(name.padEnd(32)).toString('base64')}`,
) as [string, string, string];
const NOW = Date.UTC(2026, 10, 21, 12);
const SECONDS = NOW / 1000;
const BODY = '{"type":"message.received","data":{"msgId":"msg_1","textMsg":"é 😀"}}';

function sign(secret: string | Buffer, body = BODY, seconds = SECONDS): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

function check(changes: Partial<PastedRequest> = {}) {
  return checkSignature({
    header: sign(OWN),
    body: BODY,
    secret: undefined,
    ownSecrets: [OWN],
    sentBody: undefined,
    now: NOW,
    ...changes,
  });
}

/** The parts that are wrong. */
function faultyParts(changes: Partial<PastedRequest>): string {
  return check(changes)
    .faults.map(({ part }) => part)
    .join();
}

test('a signature that follows the contract is valid, with the application’s secret, a pasted one, or the previous one', () => {
  const valid = { isValid: true, faults: [] };
  assert.deepEqual(check(), valid);
  assert.deepEqual(check({ secret: OWN }), valid);
  assert.deepEqual(check({ header: `X-Service-Signature: ${sign(OWN)}\n` }), valid);
  assert.deepEqual(check({ header: sign(FOREIGN), secret: FOREIGN }), valid, 'of another installation');
  for (const header of [sign(OWN), sign(PREVIOUS)]) {
    assert.deepEqual(check({ header, ownSecrets: [OWN, PREVIOUS] }), valid);
  }
});

test('a fault in the header’s format is reported with the wrong part', () => {
  const hex = 'a'.repeat(64);
  for (const [header, said] of [
    ['', say('signature.header-form')],
    [hex, say('signature.header-form')],
    [`v1=${hex}`, say('signature.no-t')],
    [`t=${NOW},v1=${hex}`, say('signature.t-too-fine')],
    [`t=now,v1=${hex}`, say('signature.t-no-number')],
    [`t=${SECONDS}`, say('signature.no-v1')],
    [`t=${SECONDS},v1=${hex.slice(1)}`, say('signature.v1-length', { count: 63 })],
    [`t=${SECONDS},v1=${'z'.repeat(64)}`, say('signature.v1-no-hex')],
    [`t=${SECONDS},v1=${hex},v0=1`, say('signature.header-more')],
    [`t=${SECONDS},v1=${hex},v1=${hex}`, say('signature.header-more')],
    ['v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=', say('signature.standard-webhooks')],
    [`at=${SECONDS},v1=${hex}`, say('signature.no-t')],
    [`X--Signature: t=${SECONDS},v1=${hex}`, say('signature.no-t')],
    [`t=${SECONDS},X-Service-Signature:v1=${hex}`, say('signature.no-v1')],
    [`t=,v1=${hex}`, say('signature.t-no-number')],
    ...[`${NOW}x`, `x${NOW}`, '5x', 'x5'].map(
      (t) => [`t=${t},v1=${hex}`, say('signature.t-no-number')] as const,
    ),
    ['t=5,v1', say('signature.v1-length', { count: 0 })],
    ['t=5,v1,g0hM', say('signature.v1-length', { count: 0 })],
    ...['zz', `z${hex}`, `${hex}z`].map((v1) => [`t=5,v1=${v1}`, say('signature.v1-no-hex')] as const),
  ] as const) {
    assert.deepEqual(check({ header }), { isValid: false, faults: [{ part: 'header', ...said }] }, header);
  }
  const said = say('signature.header-untidy');
  const changed = sign(OWN).toUpperCase().replace(',', ', ');
  assert.deepEqual(check({ header: changed }), { isValid: false, faults: [{ part: 'header', ...said }] });
});

test('a timestamp more than 300 s off, in either direction, is reported, and the rest is still checked', () => {
  const at = (offset: number) => sign(OWN, BODY, SECONDS + offset);
  assert.equal(check({ header: at(-300) }).isValid, true);
  assert.equal(check({ header: at(300) }).isValid, true);
  assert.deepEqual(check({ header: at(-301) }).faults, [
    {
      part: 'timestamp',
      ...say('signature.past', { age: 301, seconds: 300 }),
    },
  ]);
  assert.deepEqual(check({ header: at(301) }).faults, [
    { part: 'timestamp', ...say('signature.future', { age: 301, seconds: 300 }) },
  ]);
  assert.equal(faultyParts({ header: sign(OWN, BODY, 5) }), 'timestamp', 'a single digit');
  assert.equal(faultyParts({ header: at(-301), secret: FOREIGN }), 'timestamp,key');
});

test('a wrong secret is reported with its difference', () => {
  const key = (said: Said) => ({ isValid: false, faults: [{ part: 'key', ...said }] });
  const own = say('signature.other-secret-pasted');
  assert.deepEqual(check({ secret: FOREIGN }), key(own));
  const before = say('signature.previous-pasted');
  assert.deepEqual(check({ secret: PREVIOUS, ownSecrets: [OWN, PREVIOUS] }), key(before));
  const spaces = say('signature.secret-spaces');
  assert.deepEqual(check({ secret: `${OWN}\n` }), key(spaces));
  const prefix = say('signature.secret-beginning');
  assert.deepEqual(check({ secret: OWN.slice(6) }), key(prefix));
  assert.equal(faultyParts({ header: sign(PREVIOUS), secret: FOREIGN, ownSecrets: [OWN, PREVIOUS] }), 'key');
  const decoded = say('signature.secret-decoded');
  const header = sign(Buffer.from(FOREIGN.slice(6), 'base64'));
  assert.deepEqual(check({ header, secret: FOREIGN }), key(decoded));
  const misplaced = `${FOREIGN.slice(6, 10)}whsec_${FOREIGN.slice(10)}`;
  assert.equal(faultyParts({ header, secret: misplaced }), 'key,signature');
  assert.equal(faultyParts({ secret: FOREIGN, ownSecrets: [] }), 'key,signature');
});

test('a body that was serialised again or changed is reported', () => {
  const pretty = JSON.stringify(JSON.parse(BODY), null, 2);
  const reserialised = say('signature.body-serialised');
  assert.deepEqual(check({ body: pretty }).faults, [{ part: 'body', ...reserialised }]);
  const spaces = say('signature.body-spaces');
  assert.deepEqual(check({ body: `${BODY}\n` }).faults, [{ part: 'body', ...spaces }]);
  assert.equal(faultyParts({ body: pretty, secret: FOREIGN }), 'key,body');
  const sentBody = Buffer.from(BODY);
  assert.equal(faultyParts({ body: BODY.replace('é', 'e'), sentBody }), 'body');
  assert.equal(faultyParts({ body: 'no JSON', sentBody }), 'body');
});

test('a signature without any known mistake was not made for this request', () => {
  const forged = sign(Buffer.from('whatever'));
  assert.equal(faultyParts({ header: forged }), 'signature');
  assert.equal(faultyParts({ header: forged, secret: FOREIGN }), 'key,signature');
  assert.equal(faultyParts({ header: forged, body: '{}', sentBody: Buffer.from(BODY) }), 'body,signature');
  const ofBody = { part: 'signature', ...say('signature.not-for-body') };
  for (const secret of [OWN, ` ${OWN}`])
    assert.deepEqual(check({ header: forged, secret }).faults, [ofBody], 'its own secret is not the fault');
  const ofEvent = { part: 'signature', ...say('signature.not-for-event') };
  assert.deepEqual(check({ header: forged, sentBody: Buffer.from(BODY) }).faults, [ofEvent]);
  const movedOn = sign(OWN).replace(String(SECONDS), String(SECONDS + 1));
  assert.equal(faultyParts({ header: movedOn }), 'signature');
});

test('the console checks the request that a receiver got against the stored secret and event', async (t) => {
  const { world, own, owner } = await ownConsole(t);
  await world.event(own, 'grüezi');
  await world.deliver(world.sender());
  const [{ headers, rawBody } = assert.fail()] = world.receiver.requests;
  const header = String(headers['x-service-signature']);
  const body = rawBody.toString();
  const checkInConsole = async (asked: object) => {
    const answer = await owner.call('POST', '/webhook/check-signature', { header, body, ...asked });
    assert.equal(answer.status, 200);
    return answer.body;
  };
  assert.deepEqual(
    await checkInConsole({}),
    success('the signature is valid', { isValid: true, faults: [] }, world.platform.clock.now()),
  );
  const changed = await checkInConsole({ body: body.replace('grüezi', 'gruezi'), secret: own.webhookSecret });
  assert.deepEqual(changed.data, {
    isValid: false,
    faults: [
      {
        part: 'body',
        ...say('signature.body-changed'),
      },
    ],
  });
  assert.equal(JSON.stringify([changed, await checkInConsole({ secret: 'x' })]).includes('whsec_'), false);
});
