import { readFile } from 'node:fs/promises';
import type { ChangeProvider, OperatedProvider } from '#contract/operate/providers.ts';
import type { FurtherChange } from '#features/sign-in-providers/index.ts';
import { withoutAbsent } from '#platform/absent.ts';
import { UsageError } from '../../../sdk/cli/kit.ts';
import type { Command } from '../command.ts';
import { printable, REASON, requireReason, toColumns } from './columns.ts';
import { withFeatures } from './open.ts';

const SETTINGS = {
  domains: 'whose confirmed addresses may come, separated by commas; "any": all',
  accounts: 'on or off: new people get an account',
  'find-by-email': 'on or off: a confirmed address finds the account that has it',
  'second-factor': 'on or off: a second factor is required',
  passwords: 'on or off: people also sign in to this server with passwords',
  operators: 'the claim that makes a person an operator, such as groups=chat-admins; "none": no claim does',
};
const SECRET = { 'secret-file': 'file whose first line is the client secret' };

/** Providers through which people sign in. */
export const providerCommands: readonly Command[] = [
  {
    name: 'admin providers',
    about: 'list the sign-in providers',
    async run(deps) {
      const providers = await withFeatures(deps, ({ signInProviders }) => signInProviders.listProviders());
      const rows = providers.map((one) => [one.providerId, printable(one.name), one.issuer, policyOf(one)]);
      return { text: toColumns(rows), data: { providers } };
    },
  },
  {
    name: 'admin providers add',
    parameters: ['<name>', '<issuer>', '<clientId>'],
    about: 'let people sign in at an OpenID provider',
    details: 'Shows the addresses to register there. Without options, it only connects existing accounts.',
    options: { ...SECRET, ...SETTINGS },
    async run(deps, { args: [name = '', issuer = '', clientId = ''], options }) {
      const clientSecret = await readSecret(options);
      if (clientSecret === undefined) throw new UsageError('--secret-file is required');
      const { operatorsClaim, operatorsValue, ...settings } = readSettings(options);
      const provider = await withFeatures(deps, async ({ operators }) => {
        const given = { ...NOTHING, ...settings, name, issuer, clientId, clientSecret };
        const added = await operators.perform('provider.added', {}, given);
        if (!operatorsClaim || !operatorsValue) return added;
        const { providerId } = added;
        return operators.perform('provider.changed', { providerId }, { operatorsClaim, operatorsValue });
      });
      return { text: describe(provider), data: provider };
    },
  },
  {
    name: 'admin providers change',
    parameters: ['<providerId>'],
    about: 'change a sign-in provider; what is left out stays',
    options: {
      name: 'on the button of the sign-in page',
      'client-id': 'the client id',
      ...SECRET,
      ...SETTINGS,
    },
    async run(deps, { args: [providerId = ''], options }) {
      const clientSecret = await readSecret(options);
      const { name, 'client-id': clientId } = options;
      const change = { ...readSettings(options), ...withoutAbsent({ name, clientId, clientSecret }) };
      if (Object.keys(change).length === 0) throw new UsageError('there is nothing to change');
      const provider = await withFeatures(deps, ({ operators }) =>
        operators.perform('provider.changed', { providerId }, change),
      );
      return { text: describe(provider), data: provider };
    },
  },
  {
    name: 'admin providers remove',
    parameters: ['<providerId>'],
    about: 'remove a sign-in provider, and end the sessions that began there; accounts stay',
    options: REASON,
    async run(deps, { args: [providerId = ''], options }) {
      const reason = requireReason(options);
      await withFeatures(deps, ({ operators }) =>
        operators.perform('provider.removed', { providerId }, { reason }),
      );
      return { text: 'removed', data: { providerId } };
    },
  },
  {
    name: 'admin providers scim-token',
    parameters: ['<providerId>'],
    about: 'create the token with which a provider manages its people (SCIM); it is shown once',
    details: 'It replaces the token before.',
    async run(deps, { args: [providerId = ''] }) {
      const { token } = await withFeatures(deps, ({ operators }) =>
        operators.perform('provider.scim-token-made', { providerId }),
      );
      return { text: token, data: { providerId, token } };
    },
  },
  {
    name: 'admin providers scim-token remove',
    parameters: ['<providerId>'],
    about: 'end the token of a provider',
    async run(deps, { args: [providerId = ''] }) {
      await withFeatures(deps, ({ operators }) =>
        operators.perform('provider.scim-token-removed', { providerId }),
      );
      return { text: 'removed', data: { providerId } };
    },
  },
];

/** Nobody gets an account, and nothing else changes, unless an option says so. */
const NOTHING = {
  domains: [],
  createsAccounts: false,
  findsByEmail: false,
  needsSecondFactor: false,
  passwordsOff: false,
};

/** Never an argument, which every process of the machine could read. */
async function readSecret({ 'secret-file': path }: Record<string, string>): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const [secret = ''] = (await readFile(path, 'utf8')).split('\n');
  if (secret.trim() === '') throw new UsageError(`${path} has no secret in its first line`);
  return secret.trim();
}

function readSettings(options: Record<string, string>): ChangeProvider & FurtherChange {
  const { domains, operators } = options;
  const passwords = onOrOff(options, 'passwords');
  const switches = {
    createsAccounts: onOrOff(options, 'accounts'),
    findsByEmail: onOrOff(options, 'find-by-email'),
    needsSecondFactor: onOrOff(options, 'second-factor'),
    passwordsOff: passwords === undefined ? undefined : !passwords,
  };
  return {
    ...withoutAbsent(switches),
    ...(domains !== undefined && { domains: domains === 'any' ? [] : domains.split(/[\s,]+/) }),
    ...(operators !== undefined && readOperators(operators)),
  };
}

function readOperators(text: string): FurtherChange {
  if (text === 'none') return { operatorsClaim: null, operatorsValue: null };
  const [, operatorsClaim, operatorsValue] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (operatorsClaim === undefined || operatorsValue === undefined)
    throw new UsageError('--operators must be a claim and a value, such as groups=chat-admins, or none');
  return { operatorsClaim, operatorsValue };
}

function onOrOff(options: Record<string, string>, name: string): boolean | undefined {
  const value = options[name];
  if (value === undefined || value === 'on' || value === 'off') return value && value === 'on';
  throw new UsageError(`--${name} must be on or off`);
}

function policyOf(provider: OperatedProvider): string {
  const { domains, operators } = provider;
  const words = [
    provider.createsAccounts && 'makes accounts',
    provider.findsByEmail && 'finds accounts by address',
    provider.needsSecondFactor && 'requires a second factor',
    provider.passwordsOff && 'no passwords',
    provider.hasScimToken && 'SCIM',
    domains.length > 0 && `only addresses of ${domains.join(' or ')}`,
    operators && printable(`operators: ${operators.claim}=${operators.value}`),
  ];
  return words.filter((word) => word).join(', ');
}

function describe(provider: OperatedProvider): string {
  return toColumns([
    [provider.providerId, printable(provider.name)],
    ['issuer', provider.issuer],
    ['redirect URI', provider.callbackUrl],
    ['back-channel logout', provider.logoutUrl],
    ['SCIM', provider.scimUrl],
    ['policy', policyOf(provider)],
  ]);
}
