import { albumHeight } from '../message/attachments/album-grid.ts';
import type { Row } from './rows.ts';

const LINE_PX = 22;
const LINE_CHARACTERS = 60;

/** The estimated height of a row until it is measured. */
export function estimateHeight(row: Row | undefined): number {
  if (!row || row.kind === 'day' || row.kind === 'unread' || row.kind === 'notice') return 42;
  const { type, content, caption } = row.kind === 'message' ? row.message : row.unsent.content;
  const quote = row.kind === 'message' ? row.message.quote : row.unsent.quote;
  const text = content ?? caption ?? '';
  const lines = text === '' ? 0 : Math.ceil(text.length / LINE_CHARACTERS);
  const reactions = row.kind === 'message' && row.message.reactions?.given.length ? 31 : 0;
  return (
    34 +
    reactions +
    lines * LINE_PX +
    (row.album ? albumHeight(row.album.length) : mediaHeight(type)) +
    (quote ? 48 : 0) +
    (row.isFirst ? 8 : 0)
  );
}

function mediaHeight(type: string): number {
  switch (type) {
    case 'text':
      return 0;
    case 'audio':
    case 'doc':
      return 56;
    default:
      return 216;
  }
}
