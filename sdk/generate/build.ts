import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage, packPackage, SDK } from './package.ts';
import { packTesting } from './testing-package.ts';
import { wireTypes } from './wire-types.ts';

// `--package-only`: for a fresh clone, whose types already match its contract.
if (!process.argv.includes('--package-only')) writeFileSync('sdk/wire.ts', wireTypes());
buildPackage(SDK);
writeFileSync(join(SDK, 'dist/parley-sdk.tgz'), packPackage(SDK));
writeFileSync(join(SDK, 'dist/parley-testing.tgz'), packTesting());
