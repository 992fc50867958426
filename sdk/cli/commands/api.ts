import { readFile } from 'node:fs/promises';
import type { ServiceRequest } from '../../service.ts';
import { findAccess } from '../access.ts';
import { callApi } from '../call-api.ts';
import { ACCESS_OPTIONS, type Command, UsageError } from '../command.ts';

const METHODS: readonly ServiceRequest['method'][] = ['GET', 'POST', 'PATCH', 'DELETE'];

export const apiCommand: Command = {
  name: 'api',
  parameters: ['<method>', '<path>'],
  choices: { '<method>': METHODS },
  options: { data: 'JSON body; @file reads it from a file', ...ACCESS_OPTIONS },
  about: 'call the API as the bot, such as "parley api GET /v1/me", and print the answer',
  async run(terminal, typed) {
    const [method, path = ''] = typed.args as [ServiceRequest['method'], string];
    if (!path.startsWith('/')) throw new UsageError('the path must begin with /, such as /v1/me');
    const access = await findAccess(terminal, typed);
    const body = await bodyOf(typed.options['data']);
    const { signal } = terminal;
    const answer = await callApi(access, { method, path, body, signal });
    return { text: JSON.stringify(answer, undefined, 2), data: answer };
  },
};

async function bodyOf(data: string | undefined): Promise<unknown> {
  if (data === undefined) return undefined;
  const text = data.startsWith('@') ? await readFile(data.slice(1), 'utf8') : data;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--data is not valid JSON: ${(error as Error).message}`);
  }
}
