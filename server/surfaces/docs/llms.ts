import type { Library } from './library.ts';

const ABOUT = `# Parley

> A chat platform with a public HTTP API: bots, groups and broadcast lists, polls, stories, OAuth 2.0, and signed webhooks.

A bot calls \`/v1\` with its API key, a program that acts for a person with an OAuth access token, both as \`Authorization: Bearer\`.
Bodies are JSON. An answer is \`{ status, message, data, timestamp }\`, an error \`{ status: "error", code, message }\`, whose message names the
faulty field. A bot cannot write to people who never wrote to it.
`;

/** An index for AI assistants: the project in a paragraph, and a link to each page of the documentation (llmstxt.org). */
export function renderLlms({ parts }: Library, baseUrl: string): string {
  const lists = parts.map(({ title, pages }) => {
    const links = pages.map((page) => `- [${page.title}](${baseUrl}${page.address})`);
    return `\n## ${title}\n\n${links.join('\n')}\n`;
  });
  return `${ABOUT}${lists.join('')}\n## Machine-readable\n\n- [OpenAPI 3.1 document](${baseUrl}/openapi.json)\n`;
}
