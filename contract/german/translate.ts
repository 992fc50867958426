import { FAULTS, FIELDS } from './faults.ts';
import { FINDINGS } from './findings.ts';
import { REFUSALS } from './refusals.ts';

/** Words that replace a {value} in a sentence, from a closed list. */
const WORDS = {
  active: 'aktiv',
  disabled: 'abgeschaltet',
  suspended: 'gesperrt',
  deleted: 'gelöscht',
  reactivated: 'wieder eingeschaltet',
  'wrong attempts': 'falsche Versuche',
  'sign-ups': 'Registrierungen',
  'live streams': 'Live-Verbindungen',
  'event streams': 'Ereignis-Verbindungen',
  string: 'ein Text',
  boolean: 'true oder false',
  integer: 'eine ganze Zahl',
  number: 'eine Zahl',
  object: 'ein Objekt',
  array: 'eine Liste',
};

interface Sentence {
  pattern: RegExp;
  german: string;
}

/** The sentences with most words of their own come first: they are the surer match. */
function compile(sentences: Readonly<Record<string, string>>): Sentence[] {
  return Object.entries(sentences)
    .toSorted(([a], [b]) => ownLength(b) - ownLength(a))
    .map(([english, german]) => {
      const source = english.split(/\{(\w+)\}/).map((part, i) => (i % 2 ? `(?<${part}>.*?)` : quote(part)));
      return { pattern: new RegExp(`^${source.join('')}$`, 'su'), german };
    });
}

function ownLength(english: string): number {
  return english.replaceAll(/\{\w+\}/g, '').length;
}

function quote(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

const SENTENCES = compile({ ...REFUSALS, ...FINDINGS });
const FIELD_FAULTS = compile(FAULTS);

/**
 * Says in German what the server said in English: a refusal's message, or what it found out about a receiver, a
 * signature or an alert. Undefined for what is no sentence of the server.
 */
export function toGerman(english: string): string | undefined {
  // How long to wait is told apart from the sentence.
  const [sentence = '', wait] = english.split(/; try again in (\d+) s$/);
  const german = translate(SENTENCES, sentence) ?? translateFault(sentence);
  return german && wait ? `${german}; in ${wait} s noch einmal versuchen` : german;
}

function translate(sentences: Sentence[], english: string): string | undefined {
  for (const { pattern, german } of sentences) {
    const found = pattern.exec(english);
    if (found)
      return german.replaceAll(/\{(\w+)\}/g, (_, name) => translateValue(found.groups?.[name] ?? ''));
  }
  return undefined;
}

function translateValue(value: string): string {
  return lookUp(WORDS, value) ?? translate(SENTENCES, value) ?? value;
}

/** `commands.0.name must have …`: the name of the field, then what is wrong with it. */
function translateFault(english: string): string | undefined {
  const [, path = '', fault = ''] = /^([\w.-]+) (.+)$/s.exec(english) ?? [];
  const german = translate(FIELD_FAULTS, fault);
  return german && `${path.split('.').map(nameOf).join(' ')}: ${german}`;
}

function nameOf(part: string): string {
  return /^\d+$/.test(part) ? String(Number(part) + 1) : (lookUp(FIELDS, part) ?? part);
}

function lookUp(words: Readonly<Record<string, string>>, word: string): string | undefined {
  return Object.hasOwn(words, word) ? words[word] : undefined;
}
