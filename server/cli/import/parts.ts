import { LIMITS } from '#contract/limits.ts';
import { writtenElsewhereId } from '#platform/ids.ts';
import type { Position, SourceFile, SourceMessage } from './items.ts';
import type { Report } from './report.ts';

/** A message can have as many parts as one character of its id tells apart. */
const MOST_PARTS = 32;

/** An audio message has no caption. */
const AUDIO = /\.(?:aac|flac|m4a|mp3|oga|ogg|opus|wav)$/i;

/** A message of Parley, of which one elsewhere may need several: each has one file, or a text that fits. */
export interface Part {
  part: number;
  text: string;
  file?: SourceFile;
  location?: SourceMessage['location'];
}

/** One file has the text as its caption, if it fits. */
export function partsOf(message: Pick<SourceMessage, 'text' | 'files' | 'location'>, report: Report): Part[] {
  const { location } = message;
  const text = storable(message.text);
  const files = (message.files ?? []).map((file) => ({ ...file, name: storable(file.name) }));
  const [first] = files;
  const isCaption = first && !AUDIO.test(first.name) && [...text].length <= LIMITS.captionLength;
  const texts = isCaption ? [] : inPieces(text, LIMITS.textLength);
  if (texts.length > 1) report.count('long texts');
  if (files.length > 1) report.count('more than one file');
  const parts = [
    ...texts.map((piece) => ({ text: piece })),
    ...(location ? [{ text: '', location }] : []),
    ...files.map((file, i) => ({ text: isCaption && i === 0 ? text : '', file })),
  ];
  report.count('parts beyond 32 of a message', parts.length - MOST_PARTS);
  return parts.slice(0, MOST_PARTS).map((one, part) => ({ part, ...one }));
}

/** Without the characters that no message may have. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

const FENCE = '```';

/** A text in pieces of limited length, if possible at the end of a line or a word. Code that is divided stays code. */
export function inPieces(text: string, most: number): string[] {
  const pieces: string[] = [];
  const room = text.includes(FENCE) ? most - FENCE.length - 1 : most;
  let rest = [...text.trim()];
  while (rest.length > most) {
    const newline = rest.lastIndexOf('\n', room);
    const blank = rest.lastIndexOf(' ', room);
    const end = newline > most / 2 ? newline : blank > most / 2 ? blank : room;
    const piece = rest.slice(0, end).join('').trim();
    const isInCode = piece.split(FENCE).length % 2 === 0;
    const next = rest.slice(end).join('');
    pieces.push(isInCode ? `${piece}\n${FENCE}` : piece);
    rest = [...(isInCode ? `${FENCE}\n${next.replace(/^\n/, '')}` : next.trim())];
  }
  pieces.push(rest.join(''));
  return pieces.filter((piece) => piece !== '');
}

/** The id of part of a message: a function of the export's name, the conversation and the message there. */
export function idOfPart(
  source: string,
  conversationId: string,
  { id, at, order }: Position,
  part: number,
): string {
  return writtenElsewhereId({ name: `${source}:${conversationId}:${id}`, time: at, order, part });
}
