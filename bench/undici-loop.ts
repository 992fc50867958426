import process from 'node:process';
import { Pool } from 'undici';

interface Task {
  url: string;
  ca: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  count: number;
}

/** The yardstick: posts the same bytes repeatedly, as fast as the bare client can. No database, no signature. */
process.once('message', async ({ url, ca, headers, body, connections, count }: Task) => {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections, connect: { ca } });
  let left = count;
  const loop = async () => {
    while (left-- > 0) {
      const { statusCode, body: answer } = await pool.request({
        method: 'POST',
        path: pathname,
        headers,
        body,
      });
      await answer.dump();
      if (statusCode !== 200) throw new Error(`the receiver answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
});

// It keeps running so that its CPU time can be read.
process.once('disconnect', () => process.exit());
