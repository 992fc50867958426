import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { wireTypes } from './wire-types.ts';

writeFileSync('sdk/wire.ts', wireTypes());
rmSync('sdk/dist', { recursive: true, force: true });
// Comments serve editors, which read the declarations; the code goes out without them.
compile('--declaration', 'false', '--removeComments');
compile('--emitDeclarationOnly');

function compile(...options: string[]): void {
  execFileSync('node_modules/.bin/tsc', ['-p', 'sdk', ...options], { stdio: 'inherit' });
}
