import { useEffect, useSyncExternalStore } from 'react';
import type { KeepDraft, KeptDraft } from '#contract/chat/drafts.ts';
import { callChat } from '../../ui/api.ts';
import { Watchers } from '../../ui/watchers.ts';
import { type Draft, DraftStore, isEmpty } from './draft-store.ts';
import { DraftSync } from './draft-sync.ts';

/** The beginning of each draft, by conversation. */
type Drafts = Readonly<Record<string, string>>;

const EXCERPT_LENGTH = 100;
const watchers = new Watchers();
const fields = new Set<(conversationId: string) => void>();
let shown: { accountId: string; drafts: Drafts } | undefined;
let sync: DraftSync | undefined;

/** Synchronises drafts with the server while somebody is signed in. */
export function startDrafts(accountId: string): () => void {
  const store = new DraftStore(accountId);
  const onChange = (conversationId: string) => {
    showDrafts();
    for (const tell of fields) tell(conversationId);
  };
  const started = new DraftSync(
    store,
    {
      list: () => callChat('GET /drafts'),
      // The request is completed even if the page is closed meanwhile.
      keep: (conversationId, draft: KeepDraft) =>
        callChat('PUT /conversations/:conversationId/draft', {
          params: { conversationId },
          body: draft,
          keepalive: true,
        }),
    },
    onChange,
  );
  const stopListening = store.onSaved(onChange);
  const leave = () => {
    if (document.hidden) started.flush();
  };
  sync = started;
  document.addEventListener('visibilitychange', leave);
  return () => {
    document.removeEventListener('visibilitychange', leave);
    stopListening();
    started.stop();
    sync = undefined;
    // Whoever has signed out leaves no drafts.
    showDrafts();
  };
}

export const receiveDraft = (kept: KeptDraft) => sync?.receive(kept);

/** After connecting: loads the drafts if events were missed, and saves unsaved ones. */
export function readDraftsAgain(hasMissed: boolean): void {
  if (hasMissed) void sync?.readAll().catch(() => undefined);
  else sync?.flush();
}

export function readDraft(accountId: string, conversationId: string): Draft {
  const {
    version: _,
    isUnsaved: __,
    ...draft
  } = new DraftStore(accountId).read(conversationId) ?? { text: '' };
  return draft;
}

/** While it is written, the lists show it as it was; once it was sent or emptied, no longer. */
export function keepDraft(conversationId: string, draft: Draft): void {
  sync?.change(conversationId, draft);
  if (isEmpty(draft)) showDrafts();
}

/** Calls `tell` if the draft of this conversation was changed on another device or in another window. */
export function useDraftFromElsewhere(conversationId: string, tell: () => void): void {
  useEffect(() => {
    const onChange = (changed: string) => {
      if (changed === conversationId) tell();
    };
    fields.add(onChange);
    return () => {
      fields.delete(onChange);
    };
  }, [conversationId, tell]);
}

/** Called when a conversation is closed: from then on, its draft is shown in the lists of all devices. */
export function leaveDraft(): void {
  sync?.flush();
  showDrafts();
}

function showDrafts(): void {
  shown = undefined;
  watchers.tell();
}

export function useDrafts(accountId: string): Drafts {
  return useSyncExternalStore(watchers.subscribe, () => {
    if (shown?.accountId !== accountId) shown = { accountId, drafts: readDrafts(accountId) };
    return shown.drafts;
  });
}

function readDrafts(accountId: string): Drafts {
  const entries = new DraftStore(accountId)
    .names()
    .map((conversationId) => [
      conversationId,
      readDraft(accountId, conversationId).text.slice(0, EXCERPT_LENGTH),
    ]);
  return Object.fromEntries(entries);
}
