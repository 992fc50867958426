import { fromAlerts, isAlerts } from './alerts.ts';
import { fromGitHub } from './github.ts';
import type { Fields } from './json.ts';
import { fitting } from './markdown.ts';
import { fromSlack, isSlack } from './slack.ts';

/** A tool's post: JSON, or text that is a message as it stands. */
export type Posted = string | Fields;

/**
 * The text of the message that a tool's post becomes: in the chat's Markdown, and no longer than a message may be. Empty where
 * there is nothing to show. Never throws, whatever somebody sends.
 *
 * @param gitHubEvent of the header by which GitHub says which of its shapes it is
 */
export function renderPosted(posted: Posted, gitHubEvent?: string): string {
  if (typeof posted === 'string') return fitting(posted);
  if (gitHubEvent !== undefined) return fitting(fromGitHub(gitHubEvent, posted));
  if (isAlerts(posted)) return fitting(fromAlerts(posted));
  return isSlack(posted) ? fitting(fromSlack(posted)) : '';
}
