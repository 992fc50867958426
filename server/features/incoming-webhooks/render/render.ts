import { fromGitHub } from './github.ts';
import {
  countIn,
  type Fields,
  fieldsIn,
  hasIn,
  isTrueIn,
  type JsonObject,
  listIn,
  namesIn,
  numberIn,
  readFields,
  rowsIn,
  textIn,
} from './json.ts';
import { bold, fitting, joined, line, link, literal } from './markdown.ts';
import { fromMrkdwn, withoutEntities } from './mrkdwn.ts';
import { fromRichText } from './rich-text.ts';

const SHOWN_ALERTS = 20;
const SHOWN_LABELS = 12;

/** Whether it is a group of alerts from Alertmanager or Grafana, which extends the same format. */
function isAlerts(payload: Fields): boolean {
  return hasIn(payload, 'alerts') && hasIn(payload, 'status') && hasIn(payload, 'groupLabels');
}

function fromAlerts(payload: Fields): string {
  const alerts = listIn(payload, 'alerts', SHOWN_ALERTS);
  const common = fieldsIn(payload, 'commonLabels');
  const isFiring = textIn(payload, 'status') !== 'resolved';
  const left = countIn(payload, 'alerts') + (Number(textIn(payload, 'truncatedAlerts')) || 0) - alerts.length;
  const isGrafana = hasIn(payload, 'orgId');
  return joined([
    `${isFiring ? '🔴' : '🟢'} ${bold(titleOf(payload, common, isFiring))}`,
    labels(common, (name) => name !== 'alertname'),
    ...alerts.map((alert) => fromAlert(alert, common, alerts.length > 1)),
    left > 0 ? `… and ${left} more` : '',
    link(isGrafana ? 'Grafana' : 'Alertmanager', textIn(payload, 'externalURL')),
  ]);
}

function titleOf(payload: Fields, common: Fields, isFiring: boolean): string {
  const given = textIn(payload, 'title');
  if (given !== '') return line(given);
  const name = textIn(common, 'alertname') || textIn(fieldsIn(payload, 'groupLabels'), 'alertname');
  const count = countIn(payload, 'alerts');
  return `${isFiring ? 'Firing' : 'Resolved'}: ${line(name || 'alerts')}${count > 1 ? ` (${count})` : ''}`;
}

function fromAlert(alert: Fields, common: Fields, isOneOfMany: boolean): string {
  const annotations = fieldsIn(alert, 'annotations');
  const isOwn = (name: string) => name !== 'alertname' && !hasIn(common, name);
  const isResolved = textIn(alert, 'status') === 'resolved';
  const words = joined([
    line(textIn(annotations, 'summary')),
    literal(textIn(annotations, 'description') || textIn(annotations, 'message')),
  ]);
  const links = [
    link('Source', textIn(alert, 'generatorURL')),
    link('Dashboard', textIn(alert, 'dashboardURL')),
    link('Panel', textIn(alert, 'panelURL')),
    link('Runbook', textIn(annotations, 'runbook_url')),
    link('Silence', textIn(alert, 'silenceURL')),
  ].filter((one) => one.startsWith('['));
  const shown = joined([words, labels(fieldsIn(alert, 'labels'), isOwn), valuesOf(alert), links.join(' · ')]);
  if (!isOneOfMany) return shown;
  return `${isResolved ? '🟢' : '🔴'} ${shown || line(textIn(fieldsIn(alert, 'labels'), 'alertname'))}`;
}

/** Grafana’s measurements, rounded for people. */
function valuesOf(alert: Fields): string {
  const values = fieldsIn(alert, 'values');
  return labels(
    values,
    () => true,
    (name) => {
      const number = numberIn(values, name);
      return number === undefined ? textIn(values, name) : String(Number(number.toPrecision(6)));
    },
  );
}

/** `severity: critical · instance: db1`. */
function labels(
  fields: Fields,
  isShown: (name: string) => boolean,
  show = (name: string) => textIn(fields, name),
): string {
  const names = namesIn(fields, SHOWN_LABELS, isShown);
  const shown = names.slice(0, SHOWN_LABELS).map((name) => `${line(name)}: ${line(show(name))}`);
  return joined([...shown, names.length > SHOWN_LABELS ? '…' : ''], ' · ');
}

const MAX_ATTACHMENTS = 20;

function isSlack(payload: Fields): boolean {
  return hasIn(payload, 'text') || hasIn(payload, 'attachments') || hasIn(payload, 'blocks');
}

/** A message in the format of Slack's incoming webhooks. `text` is the fallback for blocks that cannot be shown. */
function fromSlack(payload: Fields): string {
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

function fromAction(action: Fields): string {
  return fromButton(withoutEntities(textIn(action, 'text')), action);
}

/** Renders a button that opens an address; other buttons do not work here. */
function fromButton(text: string, button: Fields): string {
  const name = line(text);
  const linked = link(name, textIn(button, 'url'));
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
  const fields = readFields(posted);
  if (gitHubEvent !== undefined) return fitting(fromGitHub(gitHubEvent, fields));
  if (isAlerts(fields)) return fitting(fromAlerts(fields));
  return isSlack(fields) ? fitting(fromSlack(fields)) : '';
}

/** The text of Slack's blocks, without interactive elements. */
function fromBlocks(blocks: readonly Fields[]): string {
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
    case 'table':
      return joined(rowsIn(block, 'rows').map(fromRow));
    case 'video':
      return link(line(textIn(fieldsIn(block, 'title'), 'text')), textIn(block, 'title_url'));
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
  return textIn(cell, 'type') === 'rich_text' ? fromRichText(cell) : line(textIn(cell, 'text'));
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
    case 'button':
      return fromButton(textIn(fieldsIn(element, 'text'), 'text'), element);
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
