import postgres from 'postgres';

/** How values of PostgreSQL types come and go: `bigint` holds epoch milliseconds and counts, as numbers. */
type Mapped = { bigint: number };

/** What reads take: the pool, or the transaction that the read must belong to. */
export type Db = postgres.ISql<Mapped>;

/** What writes take: an open transaction, so that whoever writes has decided what commits together. */
export type Tx = postgres.TransactionSql<Mapped>;

/** The pool; only services hold it, to open transactions. */
export type Database = postgres.Sql<Mapped>;

export interface DatabaseOptions {
  url: string;
  poolSize: number;
}

/** A pool of connections. None is opened before the first query. */
export function openDatabase({ url, poolSize }: DatabaseOptions): Database {
  return postgres<{ bigint: postgres.PostgresType<number> }>(url, {
    max: poolSize,
    connect_timeout: 2,
    idle_timeout: 0,
    max_lifetime: null,
    backoff: () => 0.2,
    onnotice: () => {},
    connection: { application_name: 'parley', statement_timeout: 30_000 },
    // Columns are named in SQL's way there and in TypeScript's way here.
    transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
    types: {
      bigint: { to: 20, from: [20], serialize: (value: number) => String(value), parse: Number },
    },
  });
}

const UNAVAILABLE = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  '53300', // too many connections
  '57014', // statement timeout
  '57P01', // shut down by the operator
  '57P02', // crash of another backend
  '57P03', // starting up
]);

/** Whether an error says that the database is away or overloaded, rather than that the statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  return hasCode(error) && UNAVAILABLE.has(error.code);
}

export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error) && error.code === '23505';
}

export function isForeignKeyViolation(error: unknown): boolean {
  return hasCode(error) && error.code === '23503';
}

function hasCode(error: unknown): error is { code: string } {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
}
