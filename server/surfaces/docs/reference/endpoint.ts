import { Html, html } from '../../pages/html.ts';
import { codeFigure } from '../code.ts';
import { renderInline } from '../markdown.ts';
import {
  type ApiDocument,
  type Endpoint,
  type Media,
  type Operation,
  resolveParameter,
  resolveSchema,
} from './document.ts';
import { type Field, listFields } from './fields.ts';
import { toGo } from './languages/go.ts';
import { toJavaScript } from './languages/javascript.ts';
import { type SampleRequest, SECRETS, sampleRequest, urlOf } from './request.ts';

/** An operation as a section of its page; complete without scripts. */
export function renderEndpoint(document: ApiDocument, endpoint: Endpoint): Html {
  const { method, path, operation } = endpoint;
  const { operationId, summary, description } = operation;
  const isWebhook = method === 'webhook';
  const [body] = Object.values(operation.requestBody?.content ?? {});
  return html`<section class="endpoint" aria-labelledby="${operationId}">
<h2 id="${operationId}">${summary} <a class="anchor" href="#${operationId}" aria-label="Link to ${summary}">#</a></h2>
<p class="path"><b>${isWebhook ? 'Event' : method}</b> <code>${path}</code></p>
<p>${inline(description)}</p>
<p class="access">${accessOf(operation, isWebhook)}</p>
${!isWebhook && samples(document, endpoint)}
${parameters(document, operation)}
${body && table(isWebhook ? 'Body' : 'Fields of the body', listFields(document, body.schema), summary)}
${isWebhook && body?.example && example(body, `Example of ${path}`)}
${!isWebhook && answer(document, operation)}
${!isWebhook && errors(operation)}
</section>
`;
}

function accessOf({ operationId, security, ...operation }: Operation, isWebhook: boolean): Html {
  if (isWebhook) return html`Sent to the webhook URL of the application.`;
  const ways = security.map((one) =>
    'apiKey' in one ? 'an API key (the bot)' : 'an access token (a person)',
  );
  const credential = ways.length > 0 ? `Credential: ${ways.join(' or ')}.` : 'No credential.';
  const name = html` Called <code>${operationId}</code> in the OpenAPI document.`;
  const extension = operation['x-extension'] && ' An extension: beyond the contract of the platform.';
  return html`${credential}${name}${extension}`;
}

/** Radio buttons switch languages without a script; the pages' script remembers the choice. */
function samples(document: ApiDocument, endpoint: Endpoint): Html {
  const { operationId, summary } = endpoint.operation;
  const all = listSamples(document, endpoint);
  return html`<div class="samples">
<fieldset><legend>Language</legend>
${all.map(({ language }, i) => html`<label><input type="radio" name="language-${operationId}" value="${language}"${i === 0 && html` checked`}><span>${language}</span></label>`)}
</fieldset>
${all.map(({ language, syntax, code }) => html`<div data-language="${language}">${codeFigure({ code, syntax, label: `${summary} with ${language}` })}</div>\n`)}
</div>`;
}

function parameters(document: ApiDocument, { parameters = [], summary }: Operation): Html | undefined {
  const fields = parameters
    .map((parameter) => resolveParameter(document, parameter))
    .map(({ name, in: location, description = '', required = false, schema }): Field => {
      const [field] = listFields(document, { properties: { [name]: schema } });
      return {
        ...(field as Field),
        isRequired: required,
        type: `${field?.type}, in the ${location}`,
        description,
      };
    });
  return fields.length > 0 ? table('Parameters', fields, summary) : undefined;
}

function answer(document: ApiDocument, { responses, summary }: Operation): Html {
  return html`${Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .map(([status, { description, content }]) => {
      const media = content?.['application/json'];
      const schema = media && resolveSchema(document, media.schema);
      const data = schema?.properties?.['data'] ?? schema;
      const fields = data ? listFields(document, data) : [];
      return html`<h3>Answer: ${status}</h3>
<p>${inline(description)}</p>
${media?.example && example(media, `Answer ${status}: ${summary}`)}
${fields.length > 0 && html`<details><summary>${schema?.properties?.['data'] ? 'Fields of data' : 'Fields'}</summary>${rows(fields, `Fields of the answer: ${summary}`, false)}</details>`}
`;
    })}`;
}

function errors({ responses, summary }: Operation): Html {
  const all = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { content = {} }]) =>
      Object.values(content)
        .flatMap(({ examples = {} }) => Object.values(examples))
        .map(({ summary: when, value }) => ({ ...value, status, when })),
    );
  if (all.length === 0) return html``;
  return html`<details><summary>Errors</summary>
<div class="table" tabindex="0" role="group" aria-label="Errors: ${summary}"><table>
<thead><tr><th>Status</th><th>When</th><th><code>code</code> and <code>message</code></th></tr></thead>
<tbody>${all.map(({ status, when, code, message }) => html`<tr><td>${status}</td><td>${when}</td><td>${code && html`<code>${code}</code><br>`}${message}</td></tr>\n`)}</tbody>
</table></div>
<p><a href="/docs/guide/errors">What to do about each</a></p></details>`;
}

function table(heading: string, fields: Field[], summary: string): Html {
  return html`<h3>${heading}</h3>\n${rows(fields, `${heading}: ${summary}`)}`;
}

function rows(fields: Field[], label: string, saysRequired = true): Html {
  return html`<div class="table fields" tabindex="0" role="group" aria-label="${label}"><table>
<thead><tr><th>Field</th><th>Type</th>${saysRequired && html`<th>Required</th>`}<th>Description</th></tr></thead>
<tbody>${fields.map(
    (field) =>
      html`<tr><td><code>${field.name}</code></td><td>${inline(field.type)}</td>${saysRequired && html`<td data-heading="Required">${requirement(field)}</td>`}<td>${inline(field.description)}</td></tr>\n`,
  )}</tbody>
</table></div>`;
}

function requirement({ isRequired, variants }: Field): Html {
  if (!variants) return html`${isRequired ? 'yes' : 'no'}`;
  const codes = (names: string[]) => names.map((name, i) => html`${i > 0 && ', '}<code>${name}</code>`);
  const { required, optional } = variants;
  return html`${required.length > 0 && html`with ${codes(required)}`}${required.length > 0 && optional.length > 0 && html`; `}${optional.length > 0 && html`optional with ${codes(optional)}`}`;
}

function example({ example }: Media, label: string): Html {
  return codeFigure({ code: `${JSON.stringify(example, undefined, 2)}\n`, syntax: 'json', label });
}

function inline(markdown: string): Html {
  return new Html(renderInline(markdown));
}

export interface Sample {
  language: 'curl' | 'JavaScript' | 'Python' | 'Go';
  /** For the highlighter. */
  syntax: string;
  code: string;
}

/** Code that calls an operation with the values of its example. A test runs every sample. */
export function listSamples(document: ApiDocument, endpoint: Endpoint): Sample[] {
  const request = sampleRequest(document, endpoint);
  return [
    { language: 'curl', syntax: 'bash', code: toCurl(request) },
    { language: 'JavaScript', syntax: 'javascript', code: toJavaScript(request) },
    { language: 'Python', syntax: 'python', code: toPython(request) },
    { language: 'Go', syntax: 'go', code: toGo(request) },
  ];
}

function toCurl(request: SampleRequest): string {
  const { operationId, method, credential, body, isForm, file } = request;
  // The response is a page, or a redirect to the sign-in page.
  const isPage = operationId === 'authorize';
  const lines = [
    `curl ${isPage ? '--include ' : ''}${method === 'GET' || (method === 'POST' && (body || file)) ? '' : `--request ${method} `}'${urlOf(request)}'`,
    ...(credential ? [`--header "Authorization: Bearer $${credential}"`] : []),
    ...(body && isForm ? Object.entries(body).map(([name, value]) => formField(name, value)) : []),
    ...(body && !isForm
      ? ["--header 'Content-Type: application/json'", `--data '${quote(JSON.stringify(body, undefined, 2))}'`]
      : []),
    ...(file ? [`--form 'file=@${file}'`] : []),
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

/** An HTTPError does not show the message of the answer by itself. */
const PYTHON_CALL = `try:
    with urllib.request.urlopen(request) as response:
        print(json.load(response))
except urllib.error.HTTPError as error:
    raise SystemExit(error.read().decode())`;

/** Uses the standard library only. */
function toPython(request: SampleRequest): string {
  const { operationId, baseUrl, path, query, method, credential, body, isForm, file } = request;
  if (operationId === 'authorize') return openPage(baseUrl + path, query);
  if (file) return sendFile(request, file);
  const headers = [
    ...(credential ? [`"Authorization": f"Bearer {os.environ['${credential}']}",`] : []),
    ...(body && !isForm ? ['"Content-Type": "application/json",'] : []),
  ];
  const dump = isForm ? 'urllib.parse.urlencode' : 'json.dumps';
  const imports = [
    'json',
    ...(credential || isForm ? ['os'] : []),
    'urllib.error',
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
${PYTHON_CALL}
`;
}

function sendFile(request: SampleRequest, file: string): string {
  return `import json
import os
import urllib.error
import urllib.request
import uuid

boundary = uuid.uuid4().hex
head = f'--{boundary}\\r\\nContent-Disposition: form-data; name="file"; filename="${file}"\\r\\n\\r\\n'
with open("${file}", "rb") as file:
    form = head.encode() + file.read() + f"\\r\\n--{boundary}--\\r\\n".encode()

request = urllib.request.Request(
    "${urlOf(request)}",
    method="POST",
    headers={
        "Authorization": f"Bearer {os.environ['${request.credential}']}",
        "Content-Type": f"multipart/form-data; boundary={boundary}",
    },
    data=form,
)
${PYTHON_CALL}
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
