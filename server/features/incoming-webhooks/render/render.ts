import { fromAlerts, isAlerts } from './alerts.ts';
import { fromGitHub } from './github.ts';
import type { Fields } from './json.ts';
import { fitting } from './markdown.ts';
import { fromSlack, isSlack } from './slack.ts';

/** A tool's post: JSON, or text that is used as the message. */
export type Posted = string | Fields;

/**
 * Renders a tool's post as a message in the chat's Markdown, within the length limit. Empty if there is nothing to show.
 * Never throws, whatever the input.
 *
 * @param gitHubEvent the value of `X-GitHub-Event`, which identifies the format
 */
export function renderPosted(posted: Posted, gitHubEvent?: string): string {
  if (typeof posted === 'string') return fitting(posted);
  if (gitHubEvent !== undefined) return fitting(fromGitHub(gitHubEvent, posted));
  if (isAlerts(posted)) return fitting(fromAlerts(posted));
  return isSlack(posted) ? fitting(fromSlack(posted)) : '';
}
