import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Kind } from './mutants.ts';

/** Files that are mutated, and the tests that judge them. */
export interface Target {
  kinds: Kind[];
  files: string[];
  tests: string[];
}

interface Code {
  files: string[];
  /** Within the folder; all of it unless given. */
  tests?: string[];
}

/** Decisions that a wrong answer would undo: rules, parsers, signing, tokens, limits. */
const CODE: Record<string, Code> = {
  'server/features/accounts': {
    files: ['rules.ts', 'person-limits.ts'],
    tests: ['rules.test.ts', '../../surfaces/{people/person-limits,operate/operate}.test.ts'],
  },
  'server/features/applications': { files: ['rules.ts'], tests: ['rules.test.ts', 'webhook-url.test.ts'] },
  'server/features/groups': {
    files: ['rules.ts', 'links/tokens.ts'],
    tests: ['rules.test.ts', 'links/tokens.test.ts'],
  },
  'server/features/media': { files: ['rules.ts'], tests: ['rules.test.ts'] },
  'server/features/messages': { files: ['rules.ts', 'changes/rules.ts'] },
  'server/features/oauth': {
    files: ['{rules,token-strings,tokens}.ts'],
    tests: [
      '{rules,account-hook}.test.ts',
      'tokens/{access-token,exchange-code,races,refresh,tokens}.test.ts',
    ],
  },
  'server/features/oauth/authorize': {
    files: ['authorize.ts'],
    tests: ['*.test.ts', '../../../surfaces/mcp/sign-in.test.ts'],
  },
  'server/features/polls': { files: ['rules.ts'] },
  'server/features/push': { files: ['rules.ts'], tests: ['{rules,push}.test.ts'] },
  'server/features/webhooks': {
    files: ['rules.ts', 'tools/signature-check.ts'],
    tests: [
      '{rules,event-message,unreadable}.test.ts',
      'delivery/{attempt,deliver-due,delivery,secret-overlap,waiting}.test.ts',
      'tools/{signature-check,simulate}.test.ts',
    ],
  },
  'server/platform': { files: ['rate-limits.ts'], tests: ['*-window.test.ts'] },
  'server/platform/http/parsing': { files: ['{form,strict-json,unique-keys}.ts'] },
  'server/platform/safe-fetch': {
    files: ['{address,url,guard,target,trusted-hosts,failure,answer-reader}.ts'],
    tests: ['*.test.ts', '../http/client-address.test.ts'],
  },
  sdk: { files: ['signature.ts'], tests: ['signature.test.ts'] },
};

/** Features whose statements are mutated, and the tests of other features that use them. */
const SQL: Record<string, string[]> = {
  accounts: [],
  applications: [],
  contacts: [],
  groups: [],
  messages: [],
  oauth: ['server/features/accounts/delete-account.test.ts'],
  polls: ['server/features/messages/retention/*.test.ts', 'server/features/accounts/own-data.test.ts'],
  webhooks: [],
};

/** By name, in the order of the table. */
export const TARGETS: ReadonlyMap<string, Target> = new Map([
  ...Object.entries(CODE).map(([folder, { files, tests = ['**/*.test.ts'] }]): [string, Target] => [
    folder,
    { kinds: ['code'], files: product(within(folder, files)), tests: expanded(within(folder, tests)) },
  ]),
  ...Object.entries(SQL).map(([feature, others]): [string, Target] => {
    const folder = `server/features/${feature}`;
    const files = product(within(folder, ['**/{queries,*-queries}.ts']));
    return [
      `${folder}, SQL`,
      { kinds: ['sql'], files, tests: expanded([`${folder}/**/*.test.ts`, ...others]) },
    ];
  }),
]);

function within(folder: string, globs: readonly string[]): string[] {
  return globs.map((glob) => join(folder, glob));
}

function expanded(globs: readonly string[]): string[] {
  return globSync(globs, { exclude: ['**/node_modules/**', '**/dist/**'] }).sort();
}

function product(globs: readonly string[]): string[] {
  return expanded(globs).filter((file) => !file.endsWith('.test.ts'));
}
