/** What features below this one build messages of their own kinds on. */
export { insertMessages, type MessageRow } from './queries.ts';
