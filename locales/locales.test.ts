import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LANGUAGE_CODES, type Language } from '#contract/languages.ts';
import { REASONS, say, sayOfField } from '#contract/reasons.ts';
import { pluralCategories, translate } from '#contract/texts.ts';
import german from '#locales/de.json' with { type: 'json' };
import { SETTINGS } from '#platform/config/settings.ts';

type Tree = { [name: string]: string | Tree };

/** In English, the server says these: the words among its values, and what each setting is for. */
const SAID_BY_SERVER = /^(words|operate\.setting)\./;

/** Errors and findings that only operators read. */
const FOR_OPERATORS = /^errors\.(health\.|service\.metrics-token$)/;

/** Every text of a language by its key. */
function read(language: Language): Map<string, string> {
  const entries = ([name, text]: [string, string | Tree], path: string): [string, string][] =>
    typeof text === 'string'
      ? [[`${path}${name}`, text]]
      : Object.entries(text).flatMap((entry) => entries(entry, `${path}${name}.`));
  const tree: Tree = JSON.parse(readFileSync(`locales/${language}.json`, 'utf8'));
  return new Map(Object.entries(tree).flatMap((entry) => entries(entry, '')));
}

const texts = new Map(LANGUAGE_CODES.map((language) => [language, read(language)]));
const inEnglish = texts.get('en') ?? new Map<string, string>();
const PLACEHOLDER = /\{(\w+)(?:\|([^{}]+))?\}/g;
const namesIn = (text: string) => new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name));

test('every language has every text, and none more', () => {
  assert.ok(inEnglish.size > 2_000, 'the texts are found');
  for (const [language, said] of texts) {
    const keys = [...said.keys()].filter((key) => !SAID_BY_SERVER.test(key));
    assert.deepEqual(keys, [...inEnglish.keys()], language);
    assert.deepEqual(
      [...said].filter(([, text]) => text.trim() === ''),
      [],
      language,
    );
  }
});

test('a text uses no value that the English one lacks, and counts in every form of its language', () => {
  for (const [language, said] of texts)
    for (const [key, text] of said) {
      const where = `${language} ${key}`;
      const known = namesIn(inEnglish.get(key) ?? text);
      assert.deepEqual(
        [...namesIn(text)].filter((name) => !known.has(name)),
        [],
        where,
      );
      for (const [, , forms] of text.matchAll(PLACEHOLDER))
        if (forms) assert.equal(forms.split('|').length, pluralCategories(language).length, where);
      assert.doesNotMatch(text.replaceAll(PLACEHOLDER, ''), /[{}|]/, where);
    }
});

test('each text is used, that of a page in its own folder or, from `ui`, in any', () => {
  const files = globSync(['web/{ui,chat,console,operate}/**/*.{ts,tsx}', 'server/**/*.ts']);
  const used = files.flatMap((file) => {
    const [top, room] = file.split('/');
    const keys = readFileSync(file, 'utf8').matchAll(
      /['`]((ui|chat|console|operate|pages|mail|notice|bot)\.[\w${}]+\.[^'`]+)['`]/g,
    );
    return [...keys].map(([, key = '', part = '']) => {
      assert.ok(top !== 'web' || part === 'ui' || part === room, `${file} says ${key}`);
      return key;
    });
  });
  assert.ok(used.length > 1_500, 'the uses are found');
  const fixed = new Set(used);
  const made = [...fixed]
    .filter((key) => key.includes('${'))
    .map((key) => new RegExp(`^${key.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}/g, '.+')}$`));
  const unused = [...inEnglish.keys()].filter(
    (key) => !/^(errors|worker)\./.test(key) && !fixed.has(key) && !made.some((one) => one.test(key)),
  );
  assert.deepEqual(unused, []);
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
      !server.includes(`'${reason.replace(/^field\./, '')}'`) &&
      // That of a finding is said with it.
      !server.includes(`'${reason.replace(/\.remedy$/, '')}'`),
  );
  assert.deepEqual(unsaid, []);
});

test('chat, console and their errors speak of no setting of the server, which only operators know', () => {
  const names = Object.keys(SETTINGS).filter((name) => name.includes('_'));
  for (const [language, said] of texts)
    for (const [key, text] of said)
      if (/^(ui|chat|console|errors)\./.test(key) && !FOR_OPERATORS.test(key))
        assert.ok(!names.some((name) => text.includes(name)), `${language} ${key}: ${text}`);
});

test('every setting is explained in German, too', () => {
  assert.deepEqual(Object.keys(german.operate.setting), Object.keys(SETTINGS));
});

const inGerman = (reason: string, values = {}) => translate({ language: 'de', ...german }, reason, values);

test('fields, states and types get their German names; other values stay as they are', () => {
  for (const [{ reason, values }, said] of [
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
    assert.equal(inGerman(reason, values), said);
  }
});

test('a reason that this version does not know is not translated', () => {
  for (const foreign of ['', 'group.of-tomorrow', 'constructor', '__proto__']) {
    assert.equal(inGerman(foreign), undefined);
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

test('German addresses people with “du”, and the pages for strangers have nothing that looks like “Sie”', () => {
  const formal = (text: string) => /(?<!^|[.:!?„\n]\s?)\b(Sie|Ihnen|Ihre?[mnrs]?)\b/.test(text);
  assert.ok(formal('Wenn Sie zustimmen') && !formal('Ist sie weg? Sie kommt wieder.'));
  const found = [...(texts.get('de') ?? [])].filter(
    ([key, text]) => formal(text) || (key.startsWith('pages.') && /\b(Sie|Ihre?[mnrs]?)\b/.test(text)),
  );
  assert.deepEqual(found, []);
});
