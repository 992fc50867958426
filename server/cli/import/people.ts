import { PERSON_NAME_LENGTH } from '#contract/accounts.ts';
import { findForImport, type ImportedPerson, importPeople, readEmail } from '#features/accounts/index.ts';
import type { Database } from '#platform/database.ts';
import { displayName } from '#platform/display-name.ts';
import { idOf } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import type { SourcePerson } from './items.ts';
import type { Report } from './report.ts';

/** The account that stands for a person. */
export interface Owner {
  accountId: string;
  /** It was there before the import, so pages of its owner may be open. */
  isKnown: boolean;
  isDeleted: boolean;
  /** Nobody has signed in to it, so nobody has left a group with it. */
  isUnused: boolean;
}

type Deps = Pick<Platform, 'clock'> & { db: Database };

export interface ImportOptions {
  /** Names the export in the ids of what comes from it. */
  name: string;
  /** The name of the product, in texts for people. */
  product: string;
  /** Addresses by the id of the person, which take precedence. */
  emails: ReadonlyMap<string, string>;
  matchesUnconfirmed: boolean;
  isDry: boolean;
}

const MOST_AT_ONCE = 1_000;
const MOST_SHOWN = 10;

/** Finds or creates the accounts of people. */
export class People {
  readonly #deps: Deps;
  readonly #options: ImportOptions;
  readonly #report: Report;
  readonly #owners = new Map<string, Owner>();
  /** Two people of an export may have one address. */
  readonly #createdFor = new Map<string, string>();

  constructor(deps: Deps, options: ImportOptions, report: Report) {
    this.#deps = deps;
    this.#options = options;
    this.#report = report;
  }

  get owners(): ReadonlyMap<string, Owner> {
    return this.#owners;
  }

  of(id: string): Owner {
    const owner = this.#owners.get(id);
    if (!owner) throw new Error(`${id} is nobody`);
    return owner;
  }

  /** @throws if somebody's address belongs to an account that has not confirmed it */
  async resolve(people: readonly SourcePerson[]): Promise<void> {
    const unknown = [...new Map(people.map((one) => [one.id, one])).values()].filter(
      ({ id }) => !this.#owners.has(id),
    );
    for (let from = 0; from < unknown.length; from += MOST_AT_ONCE)
      await this.#resolve(unknown.slice(from, from + MOST_AT_ONCE));
  }

  async #resolve(people: readonly SourcePerson[]): Promise<void> {
    const { db, clock } = this.#deps;
    const asked = people.map((one) => ({ ...one, key: this.#keyOf(one), email: this.#emailOf(one) }));
    const matches = await findForImport(db, asked);
    const created: ImportedPerson[] = [];
    const matched: { key: string; accountId: string }[] = [];
    const unconfirmed: string[] = [];
    for (const [i, one] of asked.entries()) {
      const match = matches[i] ?? { state: 'new' };
      const name = one.email && readEmail(one.email).uniqueName;
      const accountId = match.state === 'new' ? this.#createdFor.get(name ?? '') : match.accountId;
      const isOurs = this.#createdFor.get(name ?? '') === accountId;
      if (match.state === 'unconfirmed' && !isOurs && !this.#options.matchesUnconfirmed)
        unconfirmed.push(one.email ?? '');
      if (match.state === 'imported') this.#report.count('people of an earlier import');
      else if (accountId !== undefined) {
        matched.push({ key: one.key, accountId });
        this.#report.count('people with an account here');
      }
      const owner = accountId ?? idOf('usr', `import ${one.key}`);
      this.#owners.set(one.id, {
        accountId: owner,
        isKnown: accountId !== undefined && !isOurs,
        isDeleted: match.state === 'imported' && match.isDeleted,
        isUnused: match.state === 'new' || match.isUnused,
      });
      if (accountId !== undefined) continue;
      created.push(this.#placeholder(one, owner));
      if (name !== undefined) this.#createdFor.set(name, owner);
    }
    if (unconfirmed.length > 0) throw unconfirmedError(unconfirmed);
    if (this.#options.isDry) return;
    await db.begin(async (tx) => {
      const [taken] = await importPeople(tx, { created, matched, at: clock.now() });
      if (taken !== undefined)
        throw new Error(`somebody has just signed up with ${taken}: run the import again`);
    });
  }

  #keyOf({ id }: SourcePerson): string {
    return `${this.#options.name}:${id}`;
  }

  /** An address that cannot be one counts as none. */
  #emailOf({ id, email }: SourcePerson): string | undefined {
    const given = this.#options.emails.get(id) ?? email;
    try {
      return given && readEmail(given).address;
    } catch {
      return undefined;
    }
  }

  #placeholder(
    { id, key, name, email, isActive = true }: SourcePerson & { key: string },
    accountId: string,
  ): ImportedPerson {
    if (!isActive) this.#report.count('people who had left');
    else this.#report.count(email === undefined ? 'people without an address' : 'new people');
    const { product, name: source } = this.#options;
    return {
      key,
      accountId,
      name: displayName(name, PERSON_NAME_LENGTH) ?? id.slice(0, PERSON_NAME_LENGTH),
      // Names under .invalid get no mail anywhere (RFC 2606).
      email: email ?? `${safeIn(id) ? id : accountId}@${source}.invalid`,
      suspensionReason: isActive ? undefined : `had left ${product}`,
    };
  }
}

function safeIn(id: string): boolean {
  return /^[\w-]{1,64}$/.test(id);
}

export function unconfirmedError(emails: readonly string[]): Error {
  const shown = emails.slice(0, MOST_SHOWN).join(', ');
  const more = emails.length > MOST_SHOWN ? ` and ${emails.length - MOST_SHOWN} more` : '';
  return new Error(
    `accounts here have these addresses without having confirmed them, so somebody else could get the messages: ${shown}${more}; ` +
      'have them confirmed, or add --match-unconfirmed if you know the owners',
  );
}
