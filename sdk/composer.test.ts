import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Composer } from './composer.ts';
import { type AnyMessage, withCalls } from './incoming.ts';
import type { ReceivedGroupMessage, ReceivedMessage } from './wire.ts';

const CONTEXT = { username: async () => 'weather_bot', findAnswer: async () => undefined };

type Fields = Partial<ReceivedMessage & ReceivedGroupMessage>;

function message(fields: Fields): AnyMessage {
  const data = { msgId: 'msg_1', type: 'text', textMsg: '', from: 'usr_1', sentAt: 1, ...fields } as const;
  const isInGroup = fields.groupId !== undefined;
  const whole = isInGroup
    ? ({ mentionedUserIds: [], isMentioned: false, ...data } as ReceivedGroupMessage)
    : ({ chatId: 'usr_1', ...data } as ReceivedMessage);
  return withCalls(whole, {
    send: async () => ({ msgId: 'msg_2' }),
    typing: async () => undefined,
    showDraft: async () => undefined,
    edit: async () => undefined,
    delete: async () => undefined,
    react: async () => undefined,
    get: async () => ({}),
    findProfile: async (userId) => ({ userId, isBot: false, name: 'Ada' }),
  }) as AnyMessage;
}

/** The response to each message. */
async function outcomes(composer: Composer, said: string[], messages: Fields[]): Promise<string[][]> {
  const all: string[][] = [];
  for (const fields of messages) {
    said.length = 0;
    await composer.handle(message(fields), CONTEXT);
    all.push([...said]);
  }
  return all;
}

test('the first handler that matches gets the message, and later ones when it calls next', async () => {
  const said: string[] = [];
  const composer = new Composer()
    .use(async (_message, next) => {
      said.push('before');
      await next();
      said.push('after');
    })
    .on('groupMessage', () => said.push('group'))
    .command('start', () => said.push('start'))
    .on(
      'message',
      (_message, next) => {
        said.push('one');
        return next();
      },
      () => said.push('two'),
    )
    .on('message', () => said.push('never'));
  assert.deepEqual(
    await outcomes(composer, said, [{ groupId: 'grp_1' }, { textMsg: '/start' }, { textMsg: 'Hi' }]),
    [
      ['before', 'group', 'after'],
      ['before', 'start', 'after'],
      ['before', 'one', 'two', 'after'],
    ],
  );
});

test('a command has its name, the words after it, and the name of this bot or none', async () => {
  const said: string[] = [];
  const composer = new Composer()
    .command(['weather', 'w'], ({ match }) => said.push(`weather ${JSON.stringify(match)}`))
    .use(() => said.push('else'));
  const cases: [text: string, outcome: string][] = [
    ['/weather', 'weather ""'],
    ['/w  Bern and\nThun', 'weather "Bern and\\nThun"'],
    ['/weather@weather_bot Bern', 'weather "Bern"'],
    ['/weather@Weather_Bot', 'weather ""'],
    ['/weather@other_bot', 'else'],
    ['/weathers', 'else'],
    ['/Weather', 'else'],
    ['the /weather', 'else'],
    ['/weather!', 'else'],
  ];
  for (const [textMsg, outcome] of cases) {
    assert.deepEqual(await outcomes(composer, said, [{ textMsg }]), [[outcome]], textMsg);
  }
  for (const name of ['/start', 'Start', '', 'a'.repeat(33)]) {
    assert.throws(() => new Composer().command(name, () => undefined), TypeError, name);
  }
});

test('hears matches whole texts and expressions, in captions too, also with a stateful flag', async () => {
  const said: string[] = [];
  const composer = new Composer()
    .hears('ping', ({ match }) => said.push(`text ${match}`))
    .hears(/^in (\d+) min/g, ({ match }) => said.push(`minutes ${match[1]}`))
    .hears([/tea/, /coffee/], ({ match }) => said.push(`drink ${match.index}`));
  const texts = ['ping', 'ping pong', 'in 5 min', 'in 7 min', 'no coffee'].map((textMsg) => ({ textMsg }));
  assert.deepEqual(await outcomes(composer, said, [...texts, { type: 'image', caption: 'my tea' }]), [
    ['text ping'],
    [],
    ['minutes 5'],
    ['minutes 7'],
    ['drink 3'],
    ['drink 3'],
  ]);
});

test('composers nest, and later handlers see what middleware puts into the state', async () => {
  const said: string[] = [];
  const inner = new Composer<{ name: string }>().on('message', ({ state }, next) => {
    said.push(`inner ${state.name}`);
    return next();
  });
  const composer = new Composer<{ name: string }>()
    .use(async ({ state }, next) => {
      state.name = 'Ada';
      await next();
    })
    .use(inner)
    .hears(/.*/, ({ state }) => said.push(`outer ${state.name}`));
  await composer.handle(message({ textMsg: 'Hi' }) as AnyMessage<{ name: string }>, CONTEXT);
  assert.deepEqual(said, ['inner Ada', 'outer Ada']);
});

test('an error of a handler reaches the caller, and calling next twice is an error', async () => {
  const failing = new Composer().use(() => {
    throw new Error('out of tea');
  });
  await assert.rejects(failing.handle(message({}), CONTEXT), /out of tea/);
  const twice = new Composer().use(async (_message, next) => {
    await next();
    await next();
  });
  await assert.rejects(twice.handle(message({}), CONTEXT), /next\(\) was called twice/);
});

test('what cannot be handled, and what is no handler, is refused at once', () => {
  const bot = new Composer();
  const kinds = ['message:text', 'reaction', 'callback_query'] as unknown as 'message'[];
  for (const kind of kinds)
    assert.throws(() => bot.on(kind, () => undefined), {
      name: 'TypeError',
      message: `there is no event ${kind}: on() takes message and groupMessage; the events that you chose go to onEvent()`,
    });
  const missing = undefined as unknown as () => void;
  for (const register of [
    () => bot.use(missing),
    () => bot.on('message', missing),
    () => bot.command('start', missing),
  ])
    assert.throws(register, { name: 'TypeError', message: 'a handler must be a function, and is undefined' });
});
