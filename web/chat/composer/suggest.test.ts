import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Peer } from '#contract/chat.ts';
import { mentionedIn, queryAt, suggestCommands, suggestMembers } from './suggest.ts';

const person = (userId: string, name: string, username?: string) => ({
  userId,
  name,
  isBot: username !== undefined,
  isDeleted: false,
  ...(username && { username }),
});

test('a command is the first word, a mention begins anywhere before the cursor', () => {
  assert.deepEqual(queryAt('/He', 3), { kind: 'command', typed: 'he', start: 0 });
  assert.equal(queryAt('see /he', 7), undefined);
  assert.equal(queryAt('/help me', 8), undefined);
  assert.deepEqual(queryAt('hi @ada lo and', 10), { kind: 'mention', typed: 'ada lo', start: 3 });
  assert.deepEqual(queryAt('@', 1), { kind: 'mention', typed: '', start: 0 });
  assert.equal(queryAt('ada@example', 11), undefined);
});

test('commands name their bot if there are several', () => {
  const one = { bot: person('usr_1', 'One', 'one_bot'), commands: [{ command: 'help', description: 'h' }] };
  const two = { bot: person('usr_2', 'Two', 'two_bot'), commands: [{ command: 'hello', description: '' }] };
  assert.deepEqual(
    suggestCommands([one], 'he').map(({ word }) => word),
    ['/help'],
  );
  assert.deepEqual(
    suggestCommands([one, two], 'hel').map(({ word }) => word),
    ['/help@one_bot', '/hello@two_bot'],
  );
});

const foundIn = (members: Peer[]) => (typed: string) =>
  suggestMembers(members, typed, 'usr_3').map(({ key }) => key);

test('members are found by any word of the name or by username, except oneself', () => {
  const found = foundIn([
    person('usr_1', 'Ada Lovelace'),
    person('usr_2', 'Weather', 'weather_bot'),
    person('usr_3', 'Me'),
  ]);
  assert.deepEqual(found(''), ['usr_1', 'usr_2']);
  assert.deepEqual(found('love'), ['usr_1']);
  assert.deepEqual(found('weather_'), ['usr_2']);
  assert.deepEqual(found('xyz'), []);
});

test('members are found whatever the case and accents of their names', () => {
  const found = foundIn([person('usr_1', 'René Weiß'), person('usr_2', 'İpek Işıl')]);
  for (const typed of ['rene', 'weiss', 'rene weiss']) assert.deepEqual(found(typed), ['usr_1'], typed);
  for (const typed of ['ipek', 'isil', 'I\u0307PEK']) assert.deepEqual(found(typed), ['usr_2'], typed);
});

test('only people still named in the text are mentioned', () => {
  assert.deepEqual(mentionedIn('Hello @Ada and @Ada', { Ada: 'usr_1', Bob: 'usr_2' }), ['usr_1']);
  const anna = { Anna: 'usr_1', 'Anna Schmidt': 'usr_2' };
  assert.deepEqual(mentionedIn('@Anna Schmidt, please', anna), ['usr_2']);
  assert.deepEqual(mentionedIn('@Anna and @Anna Schmidt', anna).sort(), ['usr_1', 'usr_2']);
});
