import { type PlainReason, type Said, say, sayOfField } from '#contract/reasons.ts';
import type { Accounts } from '#features/accounts/index.ts';
import { withoutAbsent } from '#platform/absent.ts';
import { ApiError } from '#platform/errors.ts';
import { nameOf } from '../claims.ts';

type Identities = Accounts['identities'];
/** A person as their provider manages them. */
export type Provisioned = Awaited<ReturnType<Identities['findProvisioned']>>;
export type Change = ReturnType<Parameters<Identities['changeProvisioned']>[2]>;

type Attributes = Record<string, unknown>;

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

type ScimType = 'invalidFilter' | 'invalidSyntax' | 'invalidPath' | 'invalidValue';

/** An error with the keyword of RFC 7644 §3.12. */
export class ScimError extends ApiError {
  readonly scimType: ScimType;

  constructor(scimType: ScimType, said: Said) {
    super(400, 'invalid-argument', said);
    this.scimType = scimType;
  }
}

function scimError(scimType: ScimType, reason: PlainReason): ScimError {
  return new ScimError(scimType, say(reason));
}

function missing(field: string): ScimError {
  return new ScimError('invalidValue', sayOfField(field, 'required'));
}

/** The resource of a person. @param base where the service is */
export function viewUser(base: string, person: Provisioned): object {
  const { accountId, userName, externalId, name, email, isActive, createdAt } = person;
  return {
    schemas: [USER_SCHEMA],
    id: accountId,
    ...(externalId !== null && { externalId }),
    userName,
    displayName: name,
    name: { formatted: name, ...splitName(name) },
    emails: [{ value: email, type: 'work', primary: true }],
    active: isActive,
    meta: {
      resourceType: 'User',
      created: new Date(createdAt).toISOString(),
      location: `${base}/Users/${accountId}`,
    },
  };
}

/** The attributes of a body that this server keeps; the names of attributes are not case-sensitive (RFC 7643 §2.1). */
export function readUser(body: Attributes): Change {
  const given = lowerCased(body);
  return withoutAbsent({
    userName: textOf(given['username']),
    name: readName(given),
    email: readEmail(given['emails']),
    isActive: readActive(given['active']),
    externalId: textOf(given['externalid']),
  });
}

/** A new person: the address is that of `emails`, else the user name. @throws ScimError */
export function readNewUser(body: Attributes) {
  const { userName, externalId = null, name, email, isActive = true } = readUser(body);
  if (userName === undefined) throw missing('userName');
  const address = email ?? (userName.includes('@') ? userName : undefined);
  if (address === undefined) throw missing('emails');
  return { userName, externalId, name: name ?? nameOf(userName) ?? '', email: address, isActive };
}

/** The changes of a PATCH, as Entra ID and Okta write them: with or without a path, with names in any case. @throws ScimError */
export function readPatch(body: Attributes, before: Provisioned): Change {
  const { operations } = lowerCased(body);
  if (!Array.isArray(operations) || operations.length === 0)
    throw scimError('invalidSyntax', 'scim.no-operations');
  const target: Attributes = {};
  let removesExternalId = false;
  for (const operation of operations) {
    const { op, path, value } = lowerCased(operation);
    const verb = lower(op);
    if (verb !== 'add' && verb !== 'replace' && verb !== 'remove')
      throw scimError('invalidSyntax', 'scim.unknown-operation');
    if (verb === 'remove') removesExternalId ||= attributeOf(path) === 'externalid';
    else if (typeof path === 'string') assign(target, path, value);
    else for (const [name, one] of Object.entries(lowerCased(value))) assign(target, name, one);
    // An added address stands beside the one that the person has.
    if (verb === 'add' && Array.isArray(target['emails']))
      target['emails'] = [...target['emails'], { value: before.email, type: 'work' }];
  }
  const change = readUser(completeName(target, before.name));
  return removesExternalId && change.externalId === undefined ? { ...change, externalId: null } : change;
}

/** Writes a value where a path leads: `name.givenName`, `emails[type eq "work"].value`, with or without the schema before it. */
function assign(target: Attributes, path: string, value: unknown): void {
  const attribute = attributeOf(path);
  if (attribute === undefined) throw scimError('invalidPath', 'scim.path');
  if (attribute.startsWith('name.')) {
    target['name'] = { ...lowerCased(target['name']), [attribute.slice('name.'.length)]: value };
  } else if (attribute === 'name') {
    target['name'] = { ...lowerCased(target['name']), ...lowerCased(value) };
  } else if (/^emails\[.*\]\.value$/.test(attribute)) {
    // Another address than the one for work is not kept.
    if (/type eq "work"|primary eq "?true"?/.test(attribute)) target['emails'] = [{ value, type: 'work' }];
  } else {
    target[attribute] = value;
  }
}

function attributeOf(path: unknown): string | undefined {
  if (typeof path !== 'string') return undefined;
  const bare = path.toLowerCase().startsWith(`${USER_SCHEMA.toLowerCase()}:`)
    ? path.slice(USER_SCHEMA.length + 1)
    : path;
  return bare.toLowerCase();
}

/** If only the first or the last name changes, the other one is taken from the name that the person has. */
function completeName(target: Attributes, before: string): Attributes {
  const { givenname, familyname, formatted } = lowerCased(target['name']);
  if (formatted !== undefined || (givenname === undefined) === (familyname === undefined)) return target;
  const had = splitName(before);
  return {
    ...target,
    name: { givenname: givenname ?? had.givenName, familyname: familyname ?? had.familyName },
  };
}

/** Only the whole name is kept. Okta requires both parts of it (its test of SCIM 2.0 endpoints). */
function splitName(name: string): { givenName: string; familyName?: string } {
  const words = name.split(' ');
  const familyName = words.length > 1 ? words.pop() : undefined;
  return { givenName: words.join(' '), ...(familyName !== undefined && { familyName }) };
}

function readName(given: Attributes): string | undefined {
  const { formatted, givenname, familyname } = lowerCased(given['name']);
  const whole = [givenname, familyname]
    .map(textOf)
    .filter((part) => part !== undefined)
    .join(' ');
  return nameOf(given['displayname']) ?? nameOf(formatted) ?? nameOf(whole);
}

function readEmail(emails: unknown): string | undefined {
  if (!Array.isArray(emails)) return undefined;
  const given = emails.map(lowerCased).filter(({ value }) => textOf(value) !== undefined);
  const chosen =
    given.find(({ primary }) => readBoolean(primary) === true) ??
    given.find(({ type }) => lower(type) === 'work') ??
    given[0];
  return textOf(chosen?.['value']);
}

/** A value that cannot be read is refused: otherwise a provider would take somebody for deactivated who is not. */
function readActive(value: unknown): boolean | undefined {
  const isActive = readBoolean(value);
  if (isActive === undefined && value !== undefined && value !== null)
    throw new ScimError('invalidValue', sayOfField('active', 'type', { type: 'boolean' }));
  return isActive;
}

/** Entra ID writes booleans as texts, unless it is told not to. */
function readBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = lower(value);
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 512) : undefined;
}

/** Keywords are compared ignoring case; what is no text is none of them. */
function lower(value: unknown): string | undefined {
  return typeof value === 'string' ? value.toLowerCase() : undefined;
}

function lowerCased(value: unknown): Attributes {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name.toLowerCase(), one]));
}

const FILTER =
  /^\s*(userName|externalId|id|emails(?:\.value|\[type eq "work"\]\.value)?)\s+eq\s+(?:"((?:[^"\\]|\\.)*)"|([^"\s]+))\s*$/i;

const FOUND_BY = {
  username: 'userName',
  externalid: 'externalId',
  id: 'accountId',
  emails: 'email',
} as const;
type Wanted = (typeof FOUND_BY)[keyof typeof FOUND_BY];

/**
 * The filters by which providers look for somebody: one attribute that equals a text, without quotation marks in an example of
 * Entra ID's documentation. @throws ScimError
 */
export function readFilter(text: string | undefined): { [A in Wanted]?: string } {
  if (text === undefined || text.trim() === '') return {};
  const [, attribute = '', quoted, bare] = FILTER.exec(text) ?? [];
  const value = quoted?.replace(/\\(.)/g, '$1') ?? bare;
  if (value === undefined) throw scimError('invalidFilter', 'scim.filter');
  const name = attribute.toLowerCase().replace(/\W.*/, '') as keyof typeof FOUND_BY;
  return { [FOUND_BY[name]]: value };
}
