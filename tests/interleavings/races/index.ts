import type { Race } from '../race.ts';
import { ACCOUNTS } from './accounts.ts';
import { APPLICATIONS } from './applications.ts';
import { DELIVERIES } from './deliveries.ts';
import { FEEDS } from './feeds.ts';
import { GROUPS } from './groups.ts';
import { MESSAGES } from './messages.ts';
import { POLLS } from './polls.ts';
import { PROVIDERS } from './providers.ts';
import { RETENTION } from './retention.ts';
import { SENDS } from './sends.ts';
import { TOKENS } from './tokens.ts';

export const RACES: Record<string, Race> = {
  ...TOKENS,
  ...GROUPS,
  ...POLLS,
  ...SENDS,
  ...MESSAGES,
  ...RETENTION,
  ...DELIVERIES,
  ...FEEDS,
  ...APPLICATIONS,
  ...ACCOUNTS,
  ...PROVIDERS,
};
