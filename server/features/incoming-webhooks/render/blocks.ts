import { type Fields, fieldsIn, listIn, textIn } from './json.ts';
import { bold, joined, line, link, literal } from './markdown.ts';
import { fromMrkdwn } from './mrkdwn.ts';
import { fromRichText } from './rich-text.ts';

/** The text of Slack's blocks, without interactive elements. */
export function fromBlocks(blocks: readonly Fields[]): string {
  return joined(blocks.map(fromBlock), '\n\n');
}

function fromBlock(block: Fields): string {
  switch (textIn(block, 'type')) {
    case 'header':
      return bold(line(textIn(fieldsIn(block, 'text'), 'text')));
    case 'section':
      return joined([
        fromText(fieldsIn(block, 'text')),
        ...listIn(block, 'fields').map(fromText),
        fromElement(fieldsIn(block, 'accessory')),
      ]);
    case 'context':
    case 'actions':
      return joined(listIn(block, 'elements').map(fromElement), ' · ');
    case 'image':
      return fromImage(block);
    case 'divider':
      return '———';
    case 'markdown':
      return textIn(block, 'text');
    case 'rich_text':
      return fromRichText(block);
    default:
      return '';
  }
}

/** A text object: mrkdwn or plain text. */
function fromText(object: Fields): string {
  const text = textIn(object, 'text');
  return textIn(object, 'type') === 'plain_text' ? literal(text) : fromMrkdwn(text);
}

function fromElement(element: Fields): string {
  switch (textIn(element, 'type')) {
    case 'image':
      return fromImage(element);
    case 'button': {
      const name = line(textIn(fieldsIn(element, 'text'), 'text'));
      const linked = link(name, textIn(element, 'url'));
      return linked === name ? '' : linked;
    }
    case 'mrkdwn':
    case 'plain_text':
      return fromText(element);
    default:
      return '';
  }
}

function fromImage(image: Fields): string {
  const name = textIn(fieldsIn(image, 'title'), 'text') || textIn(image, 'alt_text') || 'Image';
  return link(line(name), textIn(image, 'image_url'));
}
