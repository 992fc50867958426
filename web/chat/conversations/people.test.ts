import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueryClient } from '@tanstack/react-query';
import type { Peer } from '#contract/chat.ts';
import { meetPeople, notePeople, type People, renamePerson, withRenamed } from './people.ts';

const CONVERSATION = 'grp_1';
const named = (userId: string, name: string): Peer => ({ userId, name, isBot: false, isDeleted: false });

function scene() {
  const client = new QueryClient();
  const names = () => {
    const known = client.getQueryData<People>(['people', CONVERSATION]) ?? {};
    return Object.fromEntries(Object.entries(known).map(([id, person]) => [id, person?.name ?? null]));
  };
  return { client, names };
}

test('an event with an earlier name does not undo a change of it, whether the person was known or not', () => {
  const { client, names } = scene();
  notePeople(client, CONVERSATION, ['ada', 'gone'], [named('ada', 'Ada')]);
  for (const id of ['ada', 'bob']) renamePerson(client, named(id, 'New'));
  meetPeople(client, CONVERSATION, [named('ada', 'Ada'), named('bob', 'Bob'), named('cleo', 'Cleo')]);
  assert.deepEqual(names(), { ada: 'New', gone: null, bob: 'New', cleo: 'Cleo' });
});

test('a page that is loaded has the current names', () => {
  const { client, names } = scene();
  notePeople(client, CONVERSATION, [], [named('ada', 'Ada')]);
  const page = [named('ada', 'Ada of today'), named('bob', 'Bob')];
  notePeople(
    client,
    CONVERSATION,
    [],
    withRenamed(page, { type: 'person.changed', data: named('bob', 'New') }),
  );
  assert.deepEqual(names(), { ada: 'Ada of today', bob: 'New' });
});
