import { type SampleRequest, SECRETS, urlOf } from '../request.ts';

/** Uses the standard library only. */
export function toPython(request: SampleRequest): string {
  const { operationId, baseUrl, path, query, method, credential, body, isForm } = request;
  if (operationId === 'authorize') return openPage(baseUrl + path, query);
  const headers = [
    ...(credential ? [`"Authorization": f"Bearer {os.environ['${credential}']}",`] : []),
    ...(body && !isForm ? ['"Content-Type": "application/json",'] : []),
  ];
  const dump = isForm ? 'urllib.parse.urlencode' : 'json.dumps';
  const imports = [
    'json',
    ...(credential || isForm ? ['os'] : []),
    ...(isForm ? ['urllib.parse'] : []),
    'urllib.request',
  ];
  return `${imports.map((name) => `import ${name}`).join('\n')}

request = urllib.request.Request(
    "${urlOf(request)}",
    method="${method}",${
      headers.length > 0
        ? `
    headers={
        ${headers.join('\n        ')}
    },`
        : ''
    }${
      body
        ? `
    data=${dump}(${indent(literal(body))}).encode(),`
        : ''
    }
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))
`;
}

function openPage(address: string, query: Record<string, string>): string {
  return `import os
import urllib.parse

query = urllib.parse.urlencode(${literal(query)})
# Send the person's browser there.
print("${address}?" + query)
`;
}

function literal(body: Record<string, unknown>): string {
  const fields = Object.entries(body).map(([name, value]) => `    "${name}": ${pythonValue(name, value)},\n`);
  return `{\n${fields.join('')}}`;
}

function pythonValue(name: string, value: unknown): string {
  if (SECRETS[name]) return `os.environ["${SECRETS[name]}"]`;
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value).replaceAll('","', '", "');
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n    ');
}
