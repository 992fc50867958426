import { writeFileSync } from 'node:fs';
import { wireTypes } from './wire-types.ts';

writeFileSync('sdk/wire.ts', wireTypes());
