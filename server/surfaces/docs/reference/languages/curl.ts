import { type SampleRequest, SECRETS, urlOf } from '../request.ts';

export function toCurl(request: SampleRequest): string {
  const { operationId, method, credential, body, isForm } = request;
  // The response is a page, or a redirect to the sign-in page.
  const isPage = operationId === 'authorize';
  const lines = [
    `curl ${isPage ? '--include ' : ''}${method === 'GET' || (method === 'POST' && body) ? '' : `--request ${method} `}'${urlOf(request)}'`,
    ...(credential ? [`--header "Authorization: Bearer $${credential}"`] : []),
    ...(body && isForm ? Object.entries(body).map(([name, value]) => formField(name, value)) : []),
    ...(body && !isForm
      ? ["--header 'Content-Type: application/json'", `--data '${quote(JSON.stringify(body, undefined, 2))}'`]
      : []),
  ];
  return lines.join(' \\\n  ');
}

function formField(name: string, value: unknown): string {
  const secret = SECRETS[name];
  return secret
    ? `--data-urlencode "${name}=$${secret}"`
    : `--data-urlencode '${name}=${quote(String(value))}'`;
}

/** Escapes text for use inside single quotes. */
function quote(text: string): string {
  return text.replaceAll("'", "'\\''");
}
