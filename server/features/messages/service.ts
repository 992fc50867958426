/** What features below this one build messages of their own kinds on. */
export { findMessage, insertMessages, type MessageRow } from './queries.ts';
