import type { NewApplication } from '#contract/applications.ts';

/** A command that answers the test person, with the real values in it. */
export function curlAnswer(origin: string, apiKey: string, to: string): string {
  return [
    `curl ${origin}/v1/messages \\`,
    `  -H 'Authorization: Bearer ${apiKey}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"to":"${to}","type":"text","content":"Hi! I am your bot."}'`,
  ].join('\n');
}

/** A whole bot that answers everybody; it fetches its events, so it runs anywhere. */
export function sdkAnswer(origin: string, { apiKey }: Pick<NewApplication, 'apiKey'>): string {
  return [
    "import { Bot } from 'parley-sdk';",
    '',
    'const bot = new Bot({',
    `  baseUrl: '${origin}',`,
    `  apiKey: '${apiKey}',`,
    '});',
    "bot.on('message', (message) => message.reply('You said: ' + message.textMsg));",
    'await bot.poll();',
  ].join('\n');
}
