/*
 * Screenshots of every screen, on desktop and phone, light and dark: `npm run screenshots [-- FOLDER [jpeg|png [SCREEN…]]]`.
 * SCREEN names screens of the chat; without one, all are taken, and then those of the consoles: as JPEG files, in every state
 * that their tests check.
 */
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [folder = join(tmpdir(), 'parley-screenshots'), , ...wanted] = process.argv.slice(2);
await import('./screenshots-chat.ts');
if (wanted.length === 0) {
  const tests = ['console', 'console-screens', 'operate', 'account', 'sign-ups', 'sign-in-providers'];
  // Each in a folder of its own: several come to the same pages.
  for (const name of tests) {
    const environment = { ...process.env, SCREENSHOTS: join(folder, 'consoles', name) };
    const file = join(import.meta.dirname, `${name}.test.ts`);
    spawnSync(process.execPath, ['--test', file], { env: environment, stdio: 'inherit' });
  }
}
console.log(`The pictures are in ${folder}.`);
