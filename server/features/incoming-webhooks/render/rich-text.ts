import { type Fields, fieldsIn, isTrueIn, listIn, textIn, untrimmedIn } from './json.ts';
import { bold, joined, link, literal } from './markdown.ts';

/** Text from Slack's editor. */
export function fromRichText(block: Fields): string {
  return joined(listIn(block, 'elements').map(fromPart));
}

function fromPart(part: Fields): string {
  const elements = listIn(part, 'elements', 200);
  switch (textIn(part, 'type')) {
    case 'rich_text_section':
      return elements.map(fromElement).join('');
    case 'rich_text_quote':
      return elements.map(fromElement).join('').replace(/^/gm, '> ');
    case 'rich_text_preformatted':
      return `\`\`\`\n${elements.map(plain).join('').replaceAll('```', "'''")}\n\`\`\``;
    case 'rich_text_list': {
      const indent = '  '.repeat(Math.min(Number(textIn(part, 'indent')) || 0, 4));
      const isNumbered = textIn(part, 'style') === 'ordered';
      return joined(
        elements.map((item, i) => `${indent}${isNumbered ? `${i + 1}.` : '-'} ${fromPart(item)}`),
      );
    }
    default:
      return '';
  }
}

function fromElement(element: Fields): string {
  if (textIn(element, 'type') === 'link') {
    return styled(link(literal(textIn(element, 'text')), textIn(element, 'url')), element);
  }
  return styled(literal(plain(element)), element);
}

/** An element without its style, including surrounding blanks. */
function plain(element: Fields): string {
  switch (textIn(element, 'type')) {
    case 'text':
      return untrimmedIn(element, 'text');
    case 'link':
      return textIn(element, 'text') || textIn(element, 'url');
    case 'emoji':
      return emoji(element);
    case 'broadcast':
      return `@${textIn(element, 'range')}`;
    case 'user':
      return `@${textIn(element, 'user_id')}`;
    case 'usergroup':
      return `@${textIn(element, 'usergroup_id')}`;
    case 'channel':
      return `#${textIn(element, 'channel_id')}`;
    case 'date':
      return textIn(element, 'fallback');
    default:
      return '';
  }
}

/** Slack sends the code points of an emoji in hex, joined by hyphens. */
function emoji(element: Fields): string {
  const codes = textIn(element, 'unicode').split('-').slice(0, 12);
  const isKnown = codes.every((code) => /^[0-9a-f]{2,5}$/i.test(code));
  return isKnown
    ? String.fromCodePoint(...codes.map((code) => Number.parseInt(code, 16)))
    : `:${textIn(element, 'name')}:`;
}

function styled(markdown: string, element: Fields): string {
  const style = fieldsIn(element, 'style');
  const words = markdown.trim();
  if (words === '') return markdown;
  const before = markdown.slice(0, markdown.length - markdown.trimStart().length);
  const after = markdown.slice(markdown.trimEnd().length);
  if (isTrueIn(style, 'code')) return `${before}\`${plain(element).trim().replaceAll('`', "'")}\`${after}`;
  const struck = isTrueIn(style, 'strike') ? `~~${words}~~` : words;
  const slanted = isTrueIn(style, 'italic') ? `*${struck}*` : struck;
  return before + (isTrueIn(style, 'bold') ? bold(slanted) : slanted) + after;
}
