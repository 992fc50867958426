import { type SampleRequest, SECRETS, urlOf } from '../request.ts';

/** Uses the standard library only. */
export function toGo(request: SampleRequest): string {
  const { operationId, method, credential, body, isForm, file } = request;
  const url = JSON.stringify(urlOf(request));
  if (operationId === 'authorize') return openPage(request);
  const secrets = isForm && Object.keys(body ?? {}).some((name) => SECRETS[name]);
  const imports = [
    ...(file ? ['bytes'] : []),
    'fmt',
    'io',
    'log',
    ...(file ? ['mime/multipart'] : []),
    'net/http',
    ...(isForm ? ['net/url'] : []),
    ...(credential || secrets ? ['os'] : []),
    ...(body && !isForm ? ['strings'] : []),
  ];
  return `${head(imports)}
func main() {
${file ? sendFile(file, url, credential) : send(request, url, body, method, credential, isForm)}
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.Status, string(answer))
}
`;
}

function send(
  request: SampleRequest,
  url: string,
  body: SampleRequest['body'],
  method: string,
  credential: SampleRequest['credential'],
  isForm: boolean,
): string {
  if (!credential && !body) return `	response, err := http.Get(${url})`;
  if (body && isForm) return `	response, err := http.PostForm(${url}, ${values(body)})`;
  const json =
    body &&
    `	body := strings.NewReader(\`${JSON.stringify(body, undefined, '\t').replaceAll('\n', '\n\t')}\`)\n`;
  return `${json ?? ''}	request, err := http.NewRequest("${method}", ${url}, ${body ? 'body' : 'nil'})
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("${request.credential}"))
${body ? '	request.Header.Set("Content-Type", "application/json")\n' : ''}	response, err := http.DefaultClient.Do(request)`;
}

function sendFile(name: string, url: string, credential: SampleRequest['credential']): string {
  const unlessFailed = `	if err != nil {
		log.Fatal(err)
	}
`;
  return `	file, err := os.ReadFile("${name}")
${unlessFailed}	form := &bytes.Buffer{}
	parts := multipart.NewWriter(form)
	part, err := parts.CreateFormFile("file", "${name}")
${unlessFailed}	part.Write(file)
	parts.Close()
	request, err := http.NewRequest("POST", ${url}, form)
${unlessFailed}	request.Header.Set("Authorization", "Bearer "+os.Getenv("${credential}"))
	request.Header.Set("Content-Type", parts.FormDataContentType())
	response, err := http.DefaultClient.Do(request)`;
}

function openPage({ baseUrl, path, query }: SampleRequest): string {
  return `${head(['fmt', 'net/url', 'os'])}
func main() {
	query := ${values(query)}
	// Send the person's browser there.
	fmt.Println("${baseUrl}${path}?" + query.Encode())
}
`;
}

function head(imports: readonly string[]): string {
  return `package main

import (
${imports.map((name) => `	"${name}"\n`).join('')})
`;
}

/** Aligned as gofmt does. */
function values(fields: Record<string, unknown>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length)) + 3;
  const rows = Object.entries(fields).map(([name, value]) => {
    const said = SECRETS[name] ? `os.Getenv("${SECRETS[name]}")` : JSON.stringify(value);
    return `		${`"${name}":`.padEnd(width)} {${said}},\n`;
  });
  return `url.Values{\n${rows.join('')}	}`;
}
