import { benchWebhooks } from './webhooks.ts';
console.log((await benchWebhooks({ bots: 20, events: 3000, rounds: 1, singles: 40 })).join('\n'));
process.exit(0);
