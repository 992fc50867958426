import { fill, type Reason, type Values } from '../reasons.ts';
import { ERRORS } from './errors.ts';
import { FIELD_FAULTS } from './fields.ts';
import { FINDINGS } from './findings.ts';
import { HEALTH } from './health.ts';

/** Every message of {@link REASONS} in German. */
export const GERMAN: Readonly<Record<Reason, string>> = {
  ...ERRORS,
  ...FIELD_FAULTS,
  ...FINDINGS,
  ...HEALTH,
};

/** Values that are words, by the name of the value. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  state: { active: 'aktiv', disabled: 'abgeschaltet', suspended: 'gesperrt' },
  role: { owner: 'Inhaber', developer: 'Entwickler', viewer: 'Betrachter' },
  verb: { disabled: 'abgeschaltet', reactivated: 'wieder eingeschaltet', deleted: 'gelöscht' },
  type: {
    string: 'ein Text',
    boolean: 'true oder false',
    integer: 'eine ganze Zahl',
    number: 'eine Zahl',
    object: 'ein Objekt',
    array: 'eine Liste',
  },
};

/** Names of fields that a person fills in; others keep their names in the contract. */
const FIELDS: Readonly<Record<string, string>> = {
  body: 'Inhalt',
  caption: 'Bildunterschrift',
  code: 'Code',
  command: 'Befehl',
  commands: 'Befehle',
  content: 'Text',
  description: 'Beschreibung',
  email: 'E-Mail-Adresse',
  fileName: 'Dateiname',
  fileUrl: 'Datei',
  imageUrl: 'Bild',
  latitude: 'Breite',
  location: 'Ort',
  longitude: 'Länge',
  members: 'Mitglieder',
  message: 'Nachricht',
  name: 'Name',
  options: 'Antworten',
  password: 'Passwort',
  photoUrl: 'Foto',
  pictureUrl: 'Bild',
  question: 'Frage',
  redirectUri: 'Redirect-URI',
  response: 'Passkey',
  target: 'Ziel',
  text: 'Text',
  thumbnailUrl: 'Vorschaubild',
  ticket: 'Vorgang',
  username: 'Benutzername',
  videoUrl: 'Video',
  webhookUrl: 'Webhook-Adresse',
};

/**
 * The server's message in German; undefined for a reason newer than this page.
 *
 * @param values as received from the server
 */
export function toGerman(reason: string, values: Values = {}): string | undefined {
  if (!isReason(reason)) return undefined;
  return fill(GERMAN[reason], values, (value, name) =>
    name === 'field' ? String(value).split('.').map(nameOf).join(' ') : wordFor(WORDS[name] ?? {}, value),
  );
}

function isReason(reason: string): reason is Reason {
  return Object.hasOwn(GERMAN, reason);
}

/** Entries of a list are counted from 1. */
function nameOf(part: string): string {
  return /^\d+$/.test(part) ? String(Number(part) + 1) : wordFor(FIELDS, part);
}

function wordFor(words: Readonly<Record<string, string>>, value: string | number): string {
  return Object.hasOwn(words, value) ? (words[value] as string) : String(value);
}
