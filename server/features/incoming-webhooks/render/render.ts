import { fromGitHub } from './github.ts';
import { Fields, type JsonObject } from './json.ts';
import { bold, fitting, joined, line, link, literal } from './markdown.ts';
import { fromMrkdwn, withoutEntities } from './mrkdwn.ts';
import { fromRichText } from './rich-text.ts';

const SHOWN_ALERTS = 20;
const SHOWN_LABELS = 12;

/** Whether it is a group of alerts from Alertmanager or Grafana, which extends the same format. */
function isAlerts(payload: Fields): boolean {
  return payload.has('alerts') && payload.has('status') && payload.has('groupLabels');
}

function fromAlerts(payload: Fields): string {
  const alerts = payload.list('alerts', SHOWN_ALERTS);
  const common = payload.fields('commonLabels');
  const isFiring = payload.text('status') !== 'resolved';
  const left = payload.count('alerts') + (Number(payload.text('truncatedAlerts')) || 0) - alerts.length;
  const isGrafana = payload.has('orgId');
  return joined([
    `${isFiring ? '🔴' : '🟢'} ${bold(titleOf(payload, common, isFiring))}`,
    labels(common, (name) => name !== 'alertname'),
    ...alerts.map((alert) => fromAlert(alert, common, alerts.length > 1)),
    left > 0 ? `… and ${left} more` : '',
    link(isGrafana ? 'Grafana' : 'Alertmanager', payload.text('externalURL')),
  ]);
}

function titleOf(payload: Fields, common: Fields, isFiring: boolean): string {
  const given = payload.text('title');
  if (given !== '') return line(given);
  const name = common.text('alertname') || payload.fields('groupLabels').text('alertname');
  const count = payload.count('alerts');
  return `${isFiring ? 'Firing' : 'Resolved'}: ${line(name || 'alerts')}${count > 1 ? ` (${count})` : ''}`;
}

function fromAlert(alert: Fields, common: Fields, isOneOfMany: boolean): string {
  const annotations = alert.fields('annotations');
  const isOwn = (name: string) => name !== 'alertname' && !common.has(name);
  const isResolved = alert.text('status') === 'resolved';
  const words = joined([
    line(annotations.text('summary')),
    literal(annotations.text('description') || annotations.text('message')),
  ]);
  const links = [
    link('Source', alert.text('generatorURL')),
    link('Dashboard', alert.text('dashboardURL')),
    link('Panel', alert.text('panelURL')),
    link('Runbook', annotations.text('runbook_url')),
    link('Silence', alert.text('silenceURL')),
  ].filter((one) => one.startsWith('['));
  const shown = joined([words, labels(alert.fields('labels'), isOwn), valuesOf(alert), links.join(' · ')]);
  if (!isOneOfMany) return shown;
  return `${isResolved ? '🟢' : '🔴'} ${shown || line(alert.fields('labels').text('alertname'))}`;
}

/** Grafana’s measurements, rounded for people. */
function valuesOf(alert: Fields): string {
  const values = alert.fields('values');
  return labels(
    values,
    () => true,
    (name) => {
      const number = values.number(name);
      return number === undefined ? values.text(name) : String(Number(number.toPrecision(6)));
    },
  );
}

/** `severity: critical · instance: db1`. */
function labels(
  fields: Fields,
  isShown: (name: string) => boolean,
  show = (name: string) => fields.text(name),
): string {
  const names = fields.names(SHOWN_LABELS, isShown);
  const shown = names.slice(0, SHOWN_LABELS).map((name) => `${line(name)}: ${line(show(name))}`);
  return joined([...shown, names.length > SHOWN_LABELS ? '…' : ''], ' · ');
}

const MAX_ATTACHMENTS = 20;

function isSlack(payload: Fields): boolean {
  return payload.has('text') || payload.has('attachments') || payload.has('blocks');
}

/** A message in the format of Slack's incoming webhooks. `text` is the fallback for blocks that cannot be shown. */
function fromSlack(payload: Fields): string {
  const text = payload.text('text');
  const hasMarks = !(payload.has('mrkdwn') && !payload.isTrue('mrkdwn'));
  const left = payload.count('attachments') - MAX_ATTACHMENTS;
  return joined(
    [
      fromBlocks(payload.list('blocks')) || (hasMarks ? fromMrkdwn(text) : withoutEntities(text)),
      ...payload.list('attachments', MAX_ATTACHMENTS).map(fromAttachment),
      left > 0 ? `… and ${left} more` : '',
    ],
    '\n\n',
  );
}

function fromAttachment(attachment: Fields): string {
  const title = line(withoutEntities(attachment.text('title')));
  const shown = joined([
    fromMrkdwn(attachment.text('pretext')),
    line(withoutEntities(attachment.text('author_name'))),
    bold(link(title, attachment.text('title_link')) || title),
    fromMrkdwn(attachment.text('text')),
    fromBlocks(attachment.list('blocks')),
    ...attachment.list('fields').map(fromField),
    link('Image', attachment.text('image_url')).replace(/^Image$/, ''),
    joined(attachment.list('actions').map(fromAction), ' · '),
    line(withoutEntities(attachment.text('footer'))),
  ]);
  return shown || fromMrkdwn(attachment.text('fallback'));
}

function fromField(field: Fields): string {
  const title = line(withoutEntities(field.text('title')));
  return joined([title && bold(`${title}:`), fromMrkdwn(field.text('value'))], ' ');
}

function fromAction(action: Fields): string {
  return fromButton(withoutEntities(action.text('text')), action);
}

/** Renders a button that opens an address; other buttons do not work here. */
function fromButton(text: string, button: Fields): string {
  const name = line(text);
  const linked = link(name, button.text('url'));
  return linked === name ? '' : linked;
}

/** A tool's post: JSON, or text that is used as the message. */
export type Posted = string | JsonObject;

/**
 * Renders a tool's post as a message in the chat's Markdown, within the length limit. Empty if there is nothing to show.
 * Never throws, whatever the input.
 *
 * @param gitHubEvent the value of `X-GitHub-Event`, which identifies the format
 */
export function renderPosted(posted: Posted, gitHubEvent?: string): string {
  if (typeof posted === 'string') return fitting(posted);
  const fields = new Fields(posted);
  if (gitHubEvent !== undefined) return fitting(fromGitHub(gitHubEvent, fields));
  if (isAlerts(fields)) return fitting(fromAlerts(fields));
  return isSlack(fields) ? fitting(fromSlack(fields)) : '';
}

/** The text of Slack's blocks, without interactive elements. */
function fromBlocks(blocks: readonly Fields[]): string {
  return joined(blocks.map(fromBlock), '\n\n');
}

function fromBlock(block: Fields): string {
  switch (block.text('type')) {
    case 'header':
      return bold(line(block.fields('text').text('text')));
    case 'section':
      return joined([
        fromText(block.fields('text')),
        ...block.list('fields').map(fromText),
        fromElement(block.fields('accessory')),
      ]);
    case 'context':
    case 'actions':
      return joined(block.list('elements').map(fromElement), ' · ');
    case 'image':
      return fromImage(block);
    case 'divider':
      return '———';
    case 'markdown':
      return block.text('text');
    case 'rich_text':
      return fromRichText(block);
    case 'table':
      return joined(block.rows('rows').map(fromRow));
    case 'video':
      return link(line(block.fields('title').text('text')), block.text('title_url'));
    default:
      return '';
  }
}

/** An empty cell keeps its place. */
function fromRow(row: readonly Fields[]): string {
  const cells = row.map(fromCell);
  return cells.some((cell) => cell !== '') ? cells.join(' | ') : '';
}

function fromCell(cell: Fields): string {
  return cell.text('type') === 'rich_text' ? fromRichText(cell) : line(cell.text('text'));
}

/** A text object: mrkdwn or plain text. */
function fromText(object: Fields): string {
  const text = object.text('text');
  return object.text('type') === 'plain_text' ? literal(text) : fromMrkdwn(text);
}

function fromElement(element: Fields): string {
  switch (element.text('type')) {
    case 'image':
      return fromImage(element);
    case 'button':
      return fromButton(element.fields('text').text('text'), element);
    case 'mrkdwn':
    case 'plain_text':
      return fromText(element);
    default:
      return '';
  }
}

function fromImage(image: Fields): string {
  const name = image.fields('title').text('text') || image.text('alt_text') || 'Image';
  return link(line(name), image.text('image_url'));
}
