/*
 * Screenshots of every screen, on desktop and phone, light and dark: `npm run screenshots [-- FOLDER [jpeg|png [SCREEN…]]]`.
 * SCREEN names screens of the chat; without one, all are taken, and then those of both consoles.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [folder = join(tmpdir(), 'parley-screenshots'), , ...wanted] = process.argv.slice(2);
await import('./screenshots-chat.ts');
if (wanted.length === 0) {
  await import('./screenshots-console.ts');
  await import('./screenshots-operate.ts');
}
console.log(`The pictures are in ${folder}.`);
