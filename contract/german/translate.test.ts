import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { REASONS, say, sayOfField } from '#contract/reasons.ts';
import { GERMAN, toGerman } from './translate.ts';

function namesIn(sentence: string): string[] {
  return [...new Set(sentence.match(/\{\w+/g))].toSorted();
}

test('a German message uses no value that the English one lacks', () => {
  for (const [reason, german] of Object.entries(GERMAN)) {
    const english = namesIn(REASONS[reason as keyof typeof REASONS]);
    assert.deepEqual(
      namesIn(german).filter((name) => !english.includes(name)),
      [],
      reason,
    );
  }
});

test('each reason is used somewhere', () => {
  const server = globSync('server/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const madeOf = ['audit.', 'failure.', 'timeout.', 'field.url-'];
  const unsaid = Object.keys(REASONS).filter(
    (reason) =>
      !madeOf.some((prefix) => reason.startsWith(prefix)) &&
      !server.includes(`'${reason.replace(/^field\./, '')}'`),
  );
  assert.deepEqual(unsaid, []);
});

test('fields, states and types get their German names; other values stay as they are', () => {
  for (const [{ reason, values }, german] of [
    [sayOfField('name', 'too-long', { limit: 64 }), 'Name: darf höchstens 64 Zeichen haben'],
    [sayOfField('commands.0.description', 'required'), 'Befehle 1 Beschreibung: fehlt'],
    [
      sayOfField('commands', 'repeated-entry', { word: '{field}' }),
      'Befehle: darf „{field}“ nicht zweimal enthalten',
    ],
    [sayOfField('members', 'too-few-entries', { limit: 1 }), 'Mitglieder: muss mindestens 1 Eintrag haben'],
    [sayOfField('members', 'too-few-entries', { limit: 2 }), 'Mitglieder: muss mindestens 2 Einträge haben'],
    [sayOfField('text', 'type', { type: 'string' }), 'Text: muss ein Text sein'],
    [sayOfField('webhookUrl', 'url-scheme'), 'Webhook-Adresse: muss mit https:// beginnen'],
    [say('group.unknown'), 'Diese Gruppe gibt es nicht'],
    [
      say('webhook.not-sent', { state: 'disabled' }),
      'Die Anwendung ist abgeschaltet; kein Webhook wird gesendet',
    ],
    [
      say('attempt.nothing-there', { status: 404 }),
      'Der Empfänger antwortete 404: unter dem Pfad der Webhook-Adresse gibt es nichts; Adresse prüfen.',
    ],
  ] as const) {
    assert.equal(toGerman(reason, values), german);
  }
});

test('a reason that this version does not know is not translated', () => {
  for (const foreign of ['', 'group.of-tomorrow', 'constructor', '__proto__']) {
    assert.equal(toGerman(foreign), undefined);
  }
});

test('an English message counts in the singular and in the plural', () => {
  for (const [limit, message] of [
    [1, 'name must have at least 1 character'],
    ['1', 'name must have at least 1 character'],
    [0, 'name must have at least 0 characters'],
    ['8', 'name must have at least 8 characters'],
  ] as const)
    assert.equal(sayOfField('name', 'too-short', { limit }).message, message);
});
