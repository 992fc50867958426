/** The command that distributes a new table on a cluster; undefined for one that needs none. */
export type PlaceTable = (table: string) => string | undefined;

const TOKEN = /'(?:[^']|'')*'|--[^\n]*|;|[^'\-;]+|-/g;

/** The commands of a migration, without comments: Citus takes one at a time. */
export function commandsOf(text: string): string[] {
  const commands = [''];
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === ';') commands.push('');
    else if (!token.startsWith('--')) commands.push(`${commands.pop()}${token}`);
  }
  return commands.map((command) => command.trim()).filter((command) => command !== '');
}

const NEW_TABLE = /^create table (?:if not exists )?(\w+) \(/;
const REFERENCE = String.raw`references \w+ \([^)]*\)(?: on delete \w+)?`;
const OF_TABLE = new RegExp(String.raw`,\s*(foreign key \([^)]*\)\s+${REFERENCE})`, 'g');
const OF_COLUMN = new RegExp(String.raw`^(\s*(\w+) [^\n]*?) (${REFERENCE})`, 'gm');

/**
 * The same on a cluster: a table can reference distributed ones only once it is distributed itself, so its foreign keys are
 * added last, under their usual names.
 */
export function placing(command: string, place: PlaceTable): string[] {
  const [, table] = NEW_TABLE.exec(command) ?? [];
  const placement = table === undefined ? undefined : place(table);
  if (table === undefined || placement === undefined) return [command];
  const references: string[] = [];
  const without = command
    .replace(OF_TABLE, (_, reference: string) => {
      references.push(reference);
      return '';
    })
    .replace(OF_COLUMN, (_, definition: string, column: string, reference: string) => {
      references.push(`foreign key (${column}) ${reference}`);
      return definition;
    });
  return [without, placement, ...references.map((reference) => `alter table ${table} add ${reference}`)];
}
