import { keepCompiled } from './compiled.ts';

keepCompiled();
await import('./start.ts');
