import { OAuthClient } from '../../sdk/index.ts';
import { FileTokenStore } from '../../sdk/node/index.ts';

/** One of several processes that act for the same person: makes 25 concurrent calls when its parent sends the time. */
const { directory, ...settings } = JSON.parse(process.argv[2] ?? '');
let now = 0;
let refreshes = 0;
const oauth = new OAuthClient({
  ...settings,
  tokens: new FileTokenStore({ directory }),
  now: () => now,
  fetch: (url, init) => {
    if (String(url).endsWith('/oauth/token')) refreshes++;
    return fetch(url, init);
  },
});

process.on('message', async (message: { now: number }) => {
  now = message.now;
  refreshes = 0;
  try {
    await Promise.all(Array.from({ length: 25 }, () => oauth.person('ada').getUserInfo()));
    process.send?.({ refreshes });
  } catch (error) {
    process.send?.({ refreshes, failed: String(error) });
  }
});
process.send?.('ready');
