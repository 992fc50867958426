import { type ApiDocument, type Endpoint, resolveParameter } from './document.ts';

/** The request that the samples of an operation make in every language. */
export interface SampleRequest {
  operationId: string;
  method: string;
  /** The base URL of this server. */
  baseUrl: string;
  /** With the values of its parameters, which {@link params} has by name. */
  path: string;
  params: Record<string, string>;
  query: Record<string, string>;
  /** The environment variable that the credential is read from. */
  credential: 'PARLEY_API_KEY' | 'PARLEY_ACCESS_TOKEN' | undefined;
  body: Record<string, unknown> | undefined;
  isForm: boolean;
  /** The name of the file that is the body. */
  file: string | undefined;
}

/** Body fields that do not belong in source code, with the environment variables that hold them. */
export const SECRETS: Readonly<Record<string, string>> = {
  client_id: 'PARLEY_CLIENT_ID',
  client_secret: 'PARLEY_CLIENT_SECRET',
  refresh_token: 'PARLEY_REFRESH_TOKEN',
  token: 'PARLEY_REFRESH_TOKEN',
};

const FORM = 'multipart/form-data';

/** The sample request of an operation, with the values of its example. */
export function sampleRequest(document: ApiDocument, { method, path, operation }: Endpoint): SampleRequest {
  const { operationId, security, parameters = [], requestBody } = operation;
  const named = parameters.map((parameter) => resolveParameter(document, parameter));
  const params = Object.fromEntries(
    named.filter((one) => one.in === 'path').map(({ name, example }) => [name, String(example)]),
  );
  const query = named
    .filter((parameter) => parameter.in === 'query' && (parameter.required || parameter.name === 'state'))
    .map(({ name, schema, example }) => [name, String(example ?? schema.const)]);
  const [[type = '', media] = []] = Object.entries(requestBody?.content ?? {});
  const example = media?.example as Record<string, unknown> | undefined;
  return {
    operationId,
    method,
    baseUrl: document.servers[0].url,
    path: path.replace(/{(\w+)}/g, (_, name) => String(params[name])),
    params,
    query: Object.fromEntries(query),
    credential: credentialOf(security),
    body: type === FORM ? undefined : example,
    isForm: type === 'application/x-www-form-urlencoded',
    file: type === FORM ? String(example?.['file']) : undefined,
  };
}

/** If an operation accepts both credentials, the sample acts as the bot. */
function credentialOf(security: Record<string, string[]>[]): SampleRequest['credential'] {
  if (security.some((one) => 'apiKey' in one)) return 'PARLEY_API_KEY';
  return security.length > 0 ? 'PARLEY_ACCESS_TOKEN' : undefined;
}

/** The full URL, with its query. */
export function urlOf({ baseUrl, path, query }: SampleRequest): string {
  const given = new URLSearchParams(query);
  return `${baseUrl}${path}${given.size > 0 ? `?${given}` : ''}`;
}
