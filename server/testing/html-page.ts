import type { App } from '#platform/http/app.ts';

const CHARACTERS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The visible text of a page: its `main` element, with white space collapsed. */
export function textOf(page: string): string {
  const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(page) ?? [];
  return decode(main.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

/** The fields of the form that posts to `action`, as the browser would send them without further input. */
export function fieldsOf(page: string, action: string): Record<string, string> {
  const [, form] =
    new RegExp(`<form method="post" action="${action}"[^>]*>(.*?)</form>`, 's').exec(page) ?? [];
  if (form === undefined) throw new Error(`there is no form for ${action} in: ${textOf(page)}`);
  const fields: Record<string, string> = {};
  for (const [input] of form.matchAll(/<input[^>]*>/g)) {
    fields[attribute(input, 'name') ?? ''] = attribute(input, 'value') ?? '';
  }
  return fields;
}

/** Posts a form as a page of this server does. */
export function postForm(
  { app }: { app: App },
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  return app.inject({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    payload: new URLSearchParams(fields).toString(),
  });
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : decode(value);
}

function decode(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => CHARACTERS[name] as string);
}
