import { Pool } from 'pg';
import { Composer, session } from '../../sdk/index.ts';
import { PostgresSessionStore } from '../../sdk/postgres/index.ts';

/** One of several processes of a bot that counts the messages of a conversation; handling `hang` never ends. */
const [connectionString] = process.argv.slice(2);
const store = new PostgresSessionStore<{ count: number }>({
  pool: new Pool({ connectionString }),
  name: 'counts',
});
const composer = new Composer<{ session: { count: number } }>();
composer.use(session({ initial: () => ({ count: 0 }), store }));
composer.hears('hang', () => {
  process.send?.('hanging');
  return new Promise(() => undefined);
});
composer.use(async ({ state }) => {
  const count = (state.session?.count ?? 0) + 1;
  await new Promise(setImmediate);
  state.session = { count };
  process.send?.(count);
});

const context = { username: async () => 'counting_bot', findAnswer: async () => undefined };
process.on('message', (textMsg) => {
  composer.handle({ textMsg, state: {}, chatId: 'usr_ada' } as never, context);
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
