import type { Fields } from './json.ts';
import { bold, joined, link, literal } from './markdown.ts';

/** Text from Slack's editor. */
export function fromRichText(block: Fields): string {
  return joined(block.list('elements').map(fromPart));
}

function fromPart(part: Fields): string {
  const elements = part.list('elements', 200);
  switch (part.text('type')) {
    case 'rich_text_section':
      return elements.map(fromElement).join('');
    case 'rich_text_quote':
      return elements.map(fromElement).join('').replace(/^/gm, '> ');
    case 'rich_text_preformatted':
      return `\`\`\`\n${elements.map(plain).join('').replaceAll('```', "'''")}\n\`\`\``;
    case 'rich_text_list': {
      const indent = '  '.repeat(Math.min(Number(part.text('indent')) || 0, 4));
      const isNumbered = part.text('style') === 'ordered';
      return joined(
        elements.map((item, i) => `${indent}${isNumbered ? `${i + 1}.` : '-'} ${fromPart(item)}`),
      );
    }
    default:
      return '';
  }
}

function fromElement(element: Fields): string {
  if (element.text('type') === 'link') {
    return styled(link(literal(element.text('text')), element.text('url')), element);
  }
  return styled(literal(plain(element)), element);
}

/** An element without its style, including surrounding blanks. */
function plain(element: Fields): string {
  switch (element.text('type')) {
    case 'text':
      return element.untrimmed('text');
    case 'link':
      return element.text('text') || element.text('url');
    case 'emoji':
      return emoji(element);
    case 'broadcast':
      return `@${element.text('range')}`;
    case 'user':
      return `@${element.text('user_id')}`;
    case 'usergroup':
      return `@${element.text('usergroup_id')}`;
    case 'channel':
      return `#${element.text('channel_id')}`;
    case 'date':
      return element.text('fallback');
    default:
      return '';
  }
}

/** Slack sends the code points of an emoji in hex, joined by hyphens. */
function emoji(element: Fields): string {
  const codes = element.text('unicode').split('-').slice(0, 12);
  const isKnown = codes.every((code) => /^[0-9a-f]{2,5}$/i.test(code));
  return isKnown
    ? String.fromCodePoint(...codes.map((code) => Number.parseInt(code, 16)))
    : `:${element.text('name')}:`;
}

function styled(markdown: string, element: Fields): string {
  const style = element.fields('style');
  const words = markdown.trim();
  if (words === '') return markdown;
  const before = markdown.slice(0, markdown.length - markdown.trimStart().length);
  const after = markdown.slice(markdown.trimEnd().length);
  if (style.isTrue('code')) return `${before}\`${plain(element).trim().replaceAll('`', "'")}\`${after}`;
  const struck = style.isTrue('strike') ? `~~${words}~~` : words;
  const slanted = style.isTrue('italic') ? `*${struck}*` : struck;
  return before + (style.isTrue('bold') ? bold(slanted) : slanted) + after;
}
