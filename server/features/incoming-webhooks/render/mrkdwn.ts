import { link } from './markdown.ts';

/** Code, between the parts that are not. */
export const CODE = /(```[\s\S]*?```|`[^`\n]+`)/;
/** Anything that is not shown as written. */
const MARKED = /[*~<&\0]/;
const REFERENCE = /<([^<>\n]{1,4000})>/g;
/** An address that Slack made of what somebody wrote, also in code. */
const ADDRESS = /^(?:[a-z][a-z\d+.-]*:\/\/|(?:mailto|skype|tel):)\S+$/i;
// One mark may stand in another one.
const BEFORE = String.raw`(^|[\s([{"'.,;:!?/_*~-])`;
const AFTER = String.raw`(?=$|[\s)\]}"'.,;:!?/_*~-])`;
const BOLD = new RegExp(String.raw`${BEFORE}(?<!\*)\*([^\s*](?:[^*\n]*[^\s*])?)\*(?!\*)${AFTER}`, 'gm');
const STRUCK = new RegExp(String.raw`${BEFORE}(?<!~)~([^\s~](?:[^~\n]*[^\s~])?)~(?!~)${AFTER}`, 'gm');

/** Converts Slack's mrkdwn to the chat's Markdown: `*bold*`, `~struck~`, `<address|name>`, `<!here>` and `&amp;`. */
export function fromMrkdwn(text: string): string {
  return text
    .split(CODE)
    .map((part, i) => (i % 2 === 1 ? fromCode(part) : fromProse(part)))
    .join('');
}

/** Decodes the entities of Slack's plain text. */
export function withoutEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function fromCode(text: string): string {
  return withoutEntities(
    text.replace(REFERENCE, (whole, reference: string) => {
      const [target = '', name] = reference.split('|', 2);
      return ADDRESS.test(target) ? name || target : whole;
    }),
  );
}

function fromProse(text: string): string {
  // Links are inserted after the marks, since their addresses may contain marks.
  if (!MARKED.test(text)) return text;
  const links: string[] = [];
  const marked = text
    .replaceAll('\0', '')
    .replace(REFERENCE, (_, reference: string) => {
      links.push(fromReference(reference));
      return '\0';
    })
    .replace(BOLD, '$1**$2**')
    .replace(STRUCK, '$1~~$2~~');
  let next = 0;
  return withoutEntities(marked).replaceAll('\0', () => links[next++] ?? '');
}

function fromReference(reference: string): string {
  const bar = reference.indexOf('|');
  const target = withoutEntities(bar < 0 ? reference : reference.slice(0, bar));
  const name = bar < 0 ? '' : withoutEntities(reference.slice(bar + 1));
  const kind = target.charAt(0);
  if (kind === '!') return name || fromCommand(target.slice(1));
  if (kind === '@' || kind === '#') return kind + (name || target.slice(1)).replace(/^[@#]/, '');
  if (/^mailto:/i.test(target)) return name || target.slice('mailto:'.length);
  if (!/^https?:\/\//i.test(target)) return bar >= 0 ? name : ADDRESS.test(target) ? target : `<${target}>`;
  return name === target ? target : link(name, target);
}

/** `<!here>`, `<!subteam^S123>`, `<!date^1392734382^{date}>`. */
function fromCommand(command: string): string {
  const [name = ''] = command.split('^', 1);
  return name === 'date' ? '' : `@${name}`;
}
