import { EXTENSIONS, type Extension } from '#contract/applications.ts';
import { type Db, isUnavailable, type Tx } from '#platform/database.ts';
import { CHANGED_ELSEWHERE, EXTENSIONS_TOPIC } from '#platform/live.ts';
import type { Platform } from '#platform/platform.ts';
import type { LockedApplication } from '../queries.ts';

/** How long a process that missed the notification may not know that the last application has switched an extension off. */
const READ_AGAIN_MS = 10_000;
/** Until the first read all addresses exist: each route also checks its own application. */
const UNKNOWN = { at: Number.NEGATIVE_INFINITY, extensions: EXTENSIONS };

/** The extensions that any application has on; the addresses of the others do not exist. */
export class ExtensionsInUse {
  readonly #deps: Platform;
  #found: { at: number; extensions: readonly Extension[] } = UNKNOWN;
  #changes = 0;

  constructor(deps: Platform) {
    this.#deps = deps;
    deps.live.subscribe(EXTENSIONS_TOPIC, () => {
      this.#found = UNKNOWN;
      this.#changes++;
    });
  }

  /** An extension that is not in use is looked up each time, so that it is available as soon as somebody switches it on. */
  async includes(extension: Extension): Promise<boolean> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const isKnown =
      Math.abs(now - this.#found.at) < READ_AGAIN_MS && this.#found.extensions.includes(extension);
    if (isKnown) return true;
    const changes = this.#changes;
    const extensions = await selectExtensionsInUse(db).catch((error) => {
      // A cluster node is unreachable: the last known state remains valid.
      if (isUnavailable(error)) return this.#found.extensions;
      throw error;
    });
    // The result may lack an extension that was switched in the meantime.
    if (changes === this.#changes) this.#found = { at: now, extensions };
    return extensions.includes(extension);
  }

  /** Announces a switched extension: this process knows when it returns, the others soon after. Call it after the commit. */
  announceChange(): void {
    this.#deps.live.publish(EXTENSIONS_TOPIC, CHANGED_ELSEWHERE);
  }
}

/** The extensions that are on. */
export async function selectExtensions(db: Db, appId: string): Promise<Extension[]> {
  const rows = await db<{ extension: Extension }[]>`
    select extension from application_extensions where app_id = ${appId} order by extension`;
  return rows.map(({ extension }) => extension);
}

/** Which of these applications have which of these extensions on; a read over many shards, for the bots of a group. */
export async function selectChoices(
  db: Db,
  appIds: readonly string[],
  extensions: readonly Extension[],
): Promise<{ appId: string; extension: Extension }[]> {
  return db<{ appId: string; extension: Extension }[]>`
    select app_id, extension from application_extensions
    where app_id = any(${[...appIds]}) and extension = any(${[...extensions]})`;
}

/** The extensions that any application has on. A read over all shards. */
async function selectExtensionsInUse(db: Db): Promise<Extension[]> {
  const rows = await db<{ extension: Extension }[]>`select distinct extension from application_extensions`;
  return rows.map(({ extension }) => extension);
}

/** False if it was already on. */
export async function insertExtension(
  tx: Tx,
  { appId }: LockedApplication,
  { extension, switchedOnAt }: { extension: Extension; switchedOnAt: number },
): Promise<boolean> {
  const rows = await tx`
    insert into application_extensions ${tx({ appId, extension, switchedOnAt })}
    on conflict (app_id, extension) do nothing returning extension`;
  return rows.length === 1;
}

/** False if it was already off. */
export async function deleteExtension(
  tx: Tx,
  { appId }: LockedApplication,
  extension: Extension,
): Promise<boolean> {
  const rows = await tx`
    delete from application_extensions where app_id = ${appId} and extension = ${extension} returning extension`;
  return rows.length === 1;
}
