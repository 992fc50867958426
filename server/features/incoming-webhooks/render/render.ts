import { fromAlerts, isAlerts } from './alerts.ts';
import { fromGitHub } from './github.ts';
import { type JsonObject, readFields } from './json.ts';
import { fitting } from './markdown.ts';
import { fromSlack, isSlack } from './slack.ts';

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
