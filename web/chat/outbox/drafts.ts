import { useSyncExternalStore } from 'react';
import type { Quote } from '#contract/chat.ts';
import { dropFile } from './files.ts';
import { forgetPlaces } from './places.ts';
import { OutboxStore } from './store.ts';

/** Drafts: text that was not sent. */
export interface Draft {
  text: string;
  quote?: Quote | undefined;
  /** Members whose names were completed: the name as it stands in the text, and whose it is. */
  mentioned?: Record<string, string>;
}

/** The beginning of each draft, by conversation. */
type Drafts = Readonly<Record<string, string>>;

const EXCERPT_LENGTH = 100;
const watchers = new Set<() => void>();
let shown: { accountId: string; drafts: Drafts } | undefined;

const prefixOf = (accountId: string) => `parley-draft:${accountId}:`;

export function readDraft(accountId: string, conversationId: string): Draft {
  const kept = localStorage.getItem(prefixOf(accountId) + conversationId);
  return kept === null ? { text: '' } : (JSON.parse(kept) as Draft);
}

export function keepDraft(accountId: string, conversationId: string, draft: Draft): void {
  const name = prefixOf(accountId) + conversationId;
  const isEmpty = draft.text.trim() === '' && !draft.quote;
  try {
    if (isEmpty) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(draft));
  } catch {
    // Storage is full or forbidden: it stands in the field at least.
  }
}

/** To be called when somebody turns away from a conversation: from then on the list shows what was begun there. */
export function showDrafts(): void {
  shown = undefined;
  for (const watcher of watchers) watcher();
}

export function useDrafts(accountId: string): Drafts {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => {
      if (shown?.accountId !== accountId) shown = { accountId, drafts: readDrafts(accountId) };
      return shown.drafts;
    },
  );
}

/** Takes everything unsent of an account out of this browser, and where they were reading. */
export function forgetWriting(accountId: string): void {
  const store = new OutboxStore(accountId);
  for (const { key, file } of store.readAll()) {
    store.remove(key);
    if (file) dropFile(file.key);
  }
  for (const name of draftNames(accountId)) localStorage.removeItem(name);
  forgetPlaces(accountId);
  showDrafts();
}

function readDrafts(accountId: string): Drafts {
  const entries = draftNames(accountId).map((name) => {
    const conversationId = name.slice(prefixOf(accountId).length);
    return [conversationId, readDraft(accountId, conversationId).text.slice(0, EXCERPT_LENGTH)];
  });
  return Object.fromEntries(entries);
}

function draftNames(accountId: string): string[] {
  return Object.keys(localStorage).filter((name) => name.startsWith(prefixOf(accountId)));
}
