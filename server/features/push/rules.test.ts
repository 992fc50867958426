import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contentFor, DEFAULT_SETTINGS, type Notification } from './rules.ts';

const NOTIFICATION: Notification = {
  conversationId: 'c',
  msgId: 'm',
  title: 'Ada',
  kind: 'image',
  text: '',
  isUrgent: false,
};
const SHOWN = {
  conversationId: 'c',
  msgId: 'm',
  language: 'en',
  isSilent: false,
  title: 'Ada',
  kind: 'image',
};

const contentOf = (parts: Partial<Notification>) =>
  contentFor({ ...NOTIFICATION, ...parts }, { ...DEFAULT_SETTINGS, detail: 'text' }, 'en');

test('what a notification lacks is left out, and what is too long for it is cut', () => {
  assert.deepEqual(contentOf({}), SHOWN);
  const [longest, whole] = ['😀'.repeat(100), 'a'.repeat(400)];
  const content = { ...SHOWN, title: longest, sender: longest, text: whole };
  assert.deepEqual(contentOf({ title: longest, sender: longest, text: whole }), content);
  const cut = { title: `${'😀'.repeat(99)}…`, sender: `${'😀'.repeat(99)}…`, text: `${'a'.repeat(399)}…` };
  const longer = { title: `${longest}b`, sender: `${longest}b`, text: `${whole}b` };
  assert.deepEqual(contentOf(longer), { ...SHOWN, ...cut });
});
