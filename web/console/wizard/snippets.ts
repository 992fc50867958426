/** A command that answers the test person; it contains the real key while the page still has it. */
export function curlAnswer(origin: string, apiKey: string | undefined, to: string): string {
  return [
    `curl ${origin}/v1/messages \\`,
    `  -H "Authorization: Bearer ${apiKey ?? '$PARLEY_API_KEY'}" \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"to":"${to}","type":"text","content":"Hi! I am your bot."}'`,
  ].join('\n');
}

/** A complete bot that answers everybody; it polls its events, so it runs anywhere. */
export function sdkAnswer(origin: string, apiKey: string | undefined): string {
  return [
    `// bot.mjs, after: npm install ${origin}/sdk/parley-sdk.tgz`,
    "import { Bot } from 'parley-sdk';",
    '',
    'const bot = new Bot({',
    `  baseUrl: '${origin}',`,
    `  apiKey: ${apiKey === undefined ? 'process.env.PARLEY_API_KEY' : `'${apiKey}'`},`,
    '});',
    "bot.on('message', (message) => message.reply('You said: ' + message.textMsg));",
    'await bot.poll();',
  ].join('\n');
}
