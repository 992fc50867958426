import { benchOAuth } from './oauth.ts';

console.log((await benchOAuth()).join('\n'));
