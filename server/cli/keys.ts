import { formatKey, KEY_BYTES } from '#platform/keyring.ts';
import type { Command } from './command.ts';

const FIRST_KEY_ID = 1;

/** The encryption keys of an installation that does not keep them beside an embedded database. */
export const keyCommands: readonly Command[] = [
  {
    name: 'keys new',
    parameters: [],
    about: 'print a first encryption key for MASTER_KEYS; whoever loses it loses every message',
    async run({ random }) {
      return formatKey(FIRST_KEY_ID, random.bytes(KEY_BYTES)).trimEnd();
    },
  },
];
