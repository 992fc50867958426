import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Finding, KeepDraft, KeptDraft } from '#contract/chat/drafts.ts';
import { DraftStore } from './draft-store.ts';
import { DraftSync } from './draft-sync.ts';
import { createStorage } from './testing/storage.ts';

/** The server's responses, and its events to all browsers. */
class Server {
  readonly drafts = new Map<string, KeptDraft>();
  readonly browsers: Browser[] = [];
  isAway = false;
  /** It stores what it is sent, and ends before the answer. */
  endsBeforeAnswers = false;
  asked = 0;
  found: Finding | undefined;
  #version = 0;

  async keep(conversationId: string, { text, mentioned, finding }: KeepDraft): Promise<KeptDraft> {
    this.asked++;
    if (this.isAway) throw new Error('away');
    this.found = finding;
    const draft = text.trim() === '' ? undefined : { text, ...(mentioned && { mentioned }) };
    const told = { conversationId, version: ++this.#version, ...(draft && { draft }) };
    if (draft) this.drafts.set(conversationId, told);
    else this.drafts.delete(conversationId);
    if (this.endsBeforeAnswers) throw new Error('gone');
    for (const { sync, isConnected } of this.browsers) if (isConnected) sync.receive(told);
    return told;
  }
}

class Browser {
  readonly store = new DraftStore('usr_1', createStorage());
  readonly sync: DraftSync;
  readonly told: string[] = [];
  isConnected = true;

  constructor(server: Server) {
    this.sync = new DraftSync(
      this.store,
      {
        list: async () => [...server.drafts.values()],
        keep: (conversationId, draft) => server.keep(conversationId, draft),
      },
      (conversationId) => this.told.push(conversationId),
    );
    server.browsers.push(this);
  }

  text(): string | undefined {
    return this.store.read('c')?.text;
  }
}

function scene(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000 });
  const server = new Server();
  const [phone, desk] = [new Browser(server), new Browser(server)];
  const rest = async (ms = 1_000) => {
    t.mock.timers.tick(ms);
    for (let i = 0; i < 10; i++) await Promise.resolve();
  };
  return { server, phone, desk, rest };
}

test('a draft from one device is soon on the other, and gone from both once it is sent', async (t) => {
  const { server, phone, desk, rest } = scene(t);
  phone.sync.change('c', { text: 'At n' });
  await rest(500);
  assert.deepEqual([server.asked, desk.text()], [0, undefined]);
  phone.sync.change('c', { text: 'At nine' });
  await rest();
  assert.deepEqual([server.asked, desk.text(), desk.told], [1, 'At nine', ['c']]);
  assert.deepEqual(phone.told, [], 'whoever wrote it is not told');
  desk.sync.change('c', { text: '' });
  await rest();
  assert.deepEqual([phone.text(), desk.text(), phone.told], [undefined, undefined, ['c']]);
  // A text that is typed and sent within a second never reaches the server as a draft.
  phone.sync.change('c', { text: 'Yes' });
  phone.sync.change('c', { text: '' });
  await rest();
  assert.deepEqual([server.asked, phone.store.names()], [2, []]);
});

test('long typing is saved in between, and not interrupted by another device', async (t) => {
  const { server, phone, desk, rest } = scene(t);
  for (let i = 1; i <= 12; i++) {
    phone.sync.change('c', { text: 'x'.repeat(i) });
    await rest(500);
  }
  assert.deepEqual([server.asked, desk.text()], [1, 'x'.repeat(10)]);
  desk.sync.change('c', { text: 'from the desk' });
  desk.sync.flush();
  await rest(0);
  assert.equal(phone.text(), 'x'.repeat(12), 'it is not told yet');
  await rest();
  assert.deepEqual([phone.text(), desk.text()], ['x'.repeat(12), 'x'.repeat(12)]);
});

test('a draft written offline is saved on reconnecting; one sent elsewhere meanwhile is gone', async (t) => {
  const { server, phone, desk, rest } = scene(t);
  phone.sync.change('c', { text: 'one' });
  phone.sync.change('d', { text: 'two' });
  await rest();
  phone.isConnected = false;
  desk.sync.change('d', { text: '' });
  await rest();
  server.isAway = true;
  phone.sync.change('c', { text: 'one more' });
  await rest();
  assert.deepEqual([phone.text(), desk.text(), phone.store.read('d')?.text], ['one more', 'one', 'two']);
  server.isAway = false;
  phone.isConnected = true;
  await phone.sync.readAll();
  await rest();
  assert.deepEqual([phone.text(), desk.text(), phone.store.read('d')], ['one more', 'one more', undefined]);
});

test('a draft whose save got no answer does not come back after it was sent', async (t) => {
  const { server, phone, rest } = scene(t);
  server.endsBeforeAnswers = true;
  phone.sync.change('c', { text: 'on my way' });
  await rest();
  assert.equal(server.drafts.size, 1);
  phone.sync.change('c', { text: '' });
  server.endsBeforeAnswers = false;
  await phone.sync.readAll();
  await rest();
  assert.deepEqual([phone.text(), server.drafts.size], [undefined, 0]);
});

test('the draft of a conversation that has not begun includes how its peer was found', async (t) => {
  const { server, phone, desk, rest } = scene(t);
  const finding = { username: 'weather_bot' };
  phone.sync.change('c', { text: '/to', finding });
  server.isAway = true;
  await rest();
  server.isAway = false;
  phone.sync.flush();
  await rest(0);
  assert.deepEqual([server.found, desk.text()], [finding, '/to']);
});

test('a late event does not restore an old draft', async (t) => {
  const { phone, desk, rest } = scene(t);
  desk.isConnected = false;
  phone.sync.change('c', { text: 'first' });
  await rest();
  desk.sync.receive({ conversationId: 'c', version: 7 });
  desk.sync.receive({ conversationId: 'c', version: 6, draft: { text: 'first' } });
  assert.equal(desk.text(), undefined);
});

test('two devices that save at the same moment both show the draft saved last', async (t) => {
  const { server, phone, desk, rest } = scene(t);
  phone.sync.change('c', { text: 'from the phone' });
  desk.sync.change('c', { text: 'from the desk' });
  phone.sync.flush();
  desk.sync.flush();
  await rest(0);
  assert.equal(server.drafts.get('c')?.draft?.text, 'from the desk');
  assert.deepEqual([phone.text(), desk.text()], ['from the desk', 'from the desk']);
});
