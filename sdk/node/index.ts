export { FileCursor } from './file-cursor.ts';
export { FileEventStore } from './file-event-store.ts';
export { FileSessionStore } from './file-session-store.ts';
export { FileTokenStore } from './file-token-store.ts';
