import { fromBlocks } from './blocks.ts';
import { countIn, type Fields, hasIn, isTrueIn, listIn, textIn } from './json.ts';
import { bold, joined, line, link } from './markdown.ts';
import { fromMrkdwn, withoutEntities } from './mrkdwn.ts';

const MAX_ATTACHMENTS = 20;

export function isSlack(payload: Fields): boolean {
  return hasIn(payload, 'text') || hasIn(payload, 'attachments') || hasIn(payload, 'blocks');
}

/** A message in the format of Slack's incoming webhooks. `text` is the fallback for blocks that cannot be shown. */
export function fromSlack(payload: Fields): string {
  const text = textIn(payload, 'text');
  const hasMarks = !(hasIn(payload, 'mrkdwn') && !isTrueIn(payload, 'mrkdwn'));
  const left = countIn(payload, 'attachments') - MAX_ATTACHMENTS;
  return joined(
    [
      fromBlocks(listIn(payload, 'blocks')) || (hasMarks ? fromMrkdwn(text) : withoutEntities(text)),
      ...listIn(payload, 'attachments', MAX_ATTACHMENTS).map(fromAttachment),
      left > 0 ? `… and ${left} more` : '',
    ],
    '\n\n',
  );
}

function fromAttachment(attachment: Fields): string {
  const title = line(withoutEntities(textIn(attachment, 'title')));
  const shown = joined([
    fromMrkdwn(textIn(attachment, 'pretext')),
    line(withoutEntities(textIn(attachment, 'author_name'))),
    bold(link(title, textIn(attachment, 'title_link')) || title),
    fromMrkdwn(textIn(attachment, 'text')),
    fromBlocks(listIn(attachment, 'blocks')),
    ...listIn(attachment, 'fields').map(fromField),
    link('Image', textIn(attachment, 'image_url')).replace(/^Image$/, ''),
    joined(listIn(attachment, 'actions').map(fromAction), ' · '),
    line(withoutEntities(textIn(attachment, 'footer'))),
  ]);
  return shown || fromMrkdwn(textIn(attachment, 'fallback'));
}

function fromField(field: Fields): string {
  const title = line(withoutEntities(textIn(field, 'title')));
  return joined([title && bold(`${title}:`), fromMrkdwn(textIn(field, 'value'))], ' ');
}

/** Renders a button that opens an address; other buttons do not work here. */
function fromAction(action: Fields): string {
  const name = line(withoutEntities(textIn(action, 'text')));
  const linked = link(name, textIn(action, 'url'));
  return linked === name ? '' : linked;
}
