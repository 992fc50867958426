interface Named {
  name: string;
}

/** The error of one host, or of several. */
export function noHost(failures: readonly [Named, Error][]): Error {
  const [[, first]] = failures as [[Named, Error]];
  if (failures.length === 1) return 'code' in first ? first : connectionLost(first);
  const said = failures.map(([{ name }, error]) => `${name}: ${reasonOf(error)}`);
  return withCode('CONNECTION_REFUSED', `no host can be used: ${said.join('; ')}`);
}

/** Several addresses of one name fail with an error that has no message of its own. */
function reasonOf(error: Error): string {
  return error instanceof AggregateError
    ? error.errors.map(({ message }) => message).join(', ')
    : error.message;
}

export function connectionLost(cause?: Error): Error {
  return withCode('CONNECTION_CLOSED', 'the connection to the database was lost', cause);
}

export function withCode(code: string, message: string, cause?: Error): Error {
  return Object.assign(new Error(message, { cause }), { code });
}
