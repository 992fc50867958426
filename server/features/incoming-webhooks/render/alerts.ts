import { countIn, type Fields, fieldsIn, hasIn, listIn, namesIn, numberIn, textIn } from './json.ts';
import { bold, joined, line, link, literal } from './markdown.ts';

const SHOWN_ALERTS = 20;
const SHOWN_LABELS = 12;

/** Whether it is a group of alerts from Alertmanager or Grafana, which extends the same format. */
export function isAlerts(payload: Fields): boolean {
  return hasIn(payload, 'alerts') && hasIn(payload, 'status') && hasIn(payload, 'groupLabels');
}

export function fromAlerts(payload: Fields): string {
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
