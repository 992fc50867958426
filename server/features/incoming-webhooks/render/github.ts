import { countIn, type Fields, fieldsIn, hasIn, isTrueIn, listIn, textIn } from './json.ts';
import { bold, joined, line, link } from './markdown.ts';

const SHOWN_COMMITS = 10;
const SHOWN_BODY = 300;

/** @param event the value of the header `X-GitHub-Event` */
export function fromGitHub(event: string, payload: Fields): string {
  const repository = fieldsIn(payload, 'repository');
  const fullName = textIn(repository, 'full_name') || textIn(fieldsIn(payload, 'organization'), 'login');
  const where = fullName === '' ? '' : `${link(line(fullName), textIn(repository, 'html_url'))}: `;
  return where + describe(event, payload);
}

function describe(event: string, payload: Fields): string {
  const who = bold(line(textIn(fieldsIn(payload, 'sender'), 'login') || 'somebody'));
  const action = line(textIn(payload, 'action')).replaceAll('_', ' ');
  switch (event) {
    case 'ping':
      return 'GitHub will post here.';
    case 'push':
      return fromPush(who, payload);
    case 'pull_request': {
      const pull = fieldsIn(payload, 'pull_request');
      const isMerged = action === 'closed' && isTrueIn(pull, 'merged');
      const done = isMerged ? 'merged' : (PULL_REQUEST_ACTIONS.get(action) ?? action);
      return `${who} ${done} pull request ${numbered(pull)}${withOf(payload)}${action === 'opened' ? bodyOf(pull) : ''}`;
    }
    case 'issues': {
      const issue = fieldsIn(payload, 'issue');
      return `${who} ${action} issue ${numbered(issue)}${withOf(payload)}${action === 'opened' ? bodyOf(issue) : ''}`;
    }
    case 'issue_comment':
      return fromComment(who, action, payload, 'issue');
    case 'pull_request_review_comment':
      return fromComment(who, action, payload, 'pull_request');
    case 'pull_request_review': {
      const review = fieldsIn(payload, 'review');
      const state = textIn(review, 'state').toLowerCase();
      const done = action === 'submitted' ? (REVIEWS.get(state) ?? 'reviewed') : `${action} a review of`;
      const pull = numbered(fieldsIn(payload, 'pull_request'));
      return `${who} ${link(done, textIn(review, 'html_url'))} pull request ${pull}${bodyOf(review)}`;
    }
    case 'workflow_run':
      return fromWorkflowRun(action, fieldsIn(payload, 'workflow_run'));
    case 'release': {
      const release = fieldsIn(payload, 'release');
      const name = line(textIn(release, 'name') || textIn(release, 'tag_name'));
      return `${who} ${action} release ${link(name, textIn(release, 'html_url'))}${bodyOf(release)}`;
    }
    case 'create':
    case 'delete': {
      const kind = line(textIn(payload, 'ref_type') || 'branch');
      return `${who} ${event}d the ${kind} ${bold(line(textIn(payload, 'ref')))}`;
    }
    case 'fork': {
      const fork = fieldsIn(payload, 'forkee');
      return `${who} forked it to ${link(line(textIn(fork, 'full_name')), textIn(fork, 'html_url'))}`;
    }
    case 'star':
      return `${who} ${action === 'deleted' ? 'took back a star' : 'gave it a star'}`;
    default:
      return fromOther(who, action, event, payload);
  }
}

/** Texts for actions whose names are not verbs. */
const PULL_REQUEST_ACTIONS: ReadonlyMap<string, string> = new Map([
  ['synchronize', 'pushed to'],
  ['review requested', 'asked for a review of'],
  ['review request removed', 'took back a request for a review of'],
  ['ready for review', 'asks for reviews of'],
  ['converted to draft', 'made a draft of'],
]);

const REVIEWS: ReadonlyMap<string, string> = new Map([
  ['approved', 'approved'],
  ['changes_requested', 'requested changes in'],
]);

function fromComment(who: string, action: string, payload: Fields, on: 'issue' | 'pull_request'): string {
  const comment = fieldsIn(payload, 'comment');
  const commented = link(
    action === 'created' ? 'commented' : `${action} a comment`,
    textIn(comment, 'html_url'),
  );
  return `${who} ${commented} on ${numbered(fieldsIn(payload, on))}${bodyOf(comment)}`;
}

/** The subjects of actions, each with the field that names it. */
const SUBJECTS = [
  ['label', 'name'],
  ['milestone', 'title'],
  ['assignee', 'login'],
  ['requested_reviewer', 'login'],
  ['requested_team', 'name'],
] as const;

/** The label, person or milestone that an action is about: ` (bug)`. */
function withOf(payload: Fields): string {
  const names = SUBJECTS.map(([subject, field]) => textIn(fieldsIn(payload, subject), field));
  const name = names.find((one) => one !== '');
  return name === undefined ? '' : ` (${line(name)})`;
}

/**
 * An event without special treatment. Most payloads have an object of the event's name, or of the last part of it
 * (`dependabot_alert`).
 */
function fromOther(who: string, action: string, event: string, payload: Fields): string {
  const isStatus = event === 'status';
  const part = hasIn(payload, event) ? event : event.slice(event.lastIndexOf('_') + 1);
  const thing = isStatus ? payload : fieldsIn(payload, part);
  const kind = line(event).replaceAll('_', ' ');
  const name = line(isStatus ? textIn(thing, 'context') : nameOf(thing));
  const address = textIn(thing, isStatus ? 'target_url' : 'html_url');
  const isOver = action === 'completed';
  const outcome = textIn(thing, isOver ? 'conclusion' : event.endsWith('status') ? 'state' : '');
  const how = [action, line(outcome).replaceAll('_', ' ')].filter(Boolean).join(': ');
  const said = [
    CONCLUSIONS.get(outcome) ?? '',
    who,
    name === '' ? link(kind, address) : joined([kind, link(name, address)], ' '),
    how && `(${how})`,
  ];
  return joined(said, ' ') + (event.endsWith('_comment') ? bodyOf(thing) : '');
}

function nameOf(thing: Fields): string {
  return (
    textIn(thing, 'title') ||
    textIn(thing, 'name') ||
    textIn(thing, 'login') ||
    textIn(thing, 'summary') ||
    textIn(thing, 'environment') ||
    textIn(fieldsIn(thing, 'rule'), 'description') ||
    textIn(fieldsIn(thing, 'security_advisory'), 'summary')
  );
}

function fromPush(who: string, payload: Fields): string {
  const ref = line(textIn(payload, 'ref').replace(/^refs\/(?:heads|tags)\//, ''));
  const kind = textIn(payload, 'ref').startsWith('refs/tags/') ? 'tag' : 'branch';
  if (isTrueIn(payload, 'deleted')) return `${who} deleted the ${kind} ${bold(ref)}`;
  const count = countIn(payload, 'commits');
  if (count === 0)
    return `${who} ${isTrueIn(payload, 'created') ? 'created' : 'pushed'} the ${kind} ${bold(ref)}`;
  const commits = listIn(payload, 'commits', SHOWN_COMMITS).map((commit) => {
    const id = link(line(textIn(commit, 'id').slice(0, 7)), textIn(commit, 'url'));
    return `${id} ${line(textIn(commit, 'message'))}`;
  });
  const forced = isTrueIn(payload, 'forced') ? ' (forced)' : '';
  const pushed = link(count === 1 ? '1 commit' : `${count} commits`, textIn(payload, 'compare'));
  return joined([
    `${who} pushed ${pushed} to ${bold(ref)}${forced}`,
    ...commits,
    count > SHOWN_COMMITS ? `… and ${count - SHOWN_COMMITS} more` : '',
  ]);
}

const CONCLUSIONS: ReadonlyMap<string, string> = new Map([
  ['success', '🟢'],
  ['failure', '🔴'],
  ['error', '🔴'],
  ['timed_out', '🔴'],
]);

function fromWorkflowRun(action: string, run: Fields): string {
  const conclusion = textIn(run, 'conclusion');
  const mark = CONCLUSIONS.get(conclusion) ?? '⚪';
  const name = `${line(textIn(run, 'name') || 'workflow')} #${line(textIn(run, 'run_number'))}`;
  const branch = textIn(run, 'head_branch');
  return joined(
    [
      mark,
      bold(link(name, textIn(run, 'html_url'))),
      line(conclusion || action).replaceAll('_', ' '),
      branch && `on ${line(branch)}`,
    ],
    ' ',
  );
}

/** `[#12 Title](address)`. */
function numbered(thing: Fields): string {
  return link(`#${line(textIn(thing, 'number'))} ${line(textIn(thing, 'title'))}`, textIn(thing, 'html_url'));
}

/** The beginning of a body, in GitHub's Markdown, which is nearly the chat's. */
function bodyOf(thing: Fields): string {
  const characters = [...textIn(thing, 'body').slice(0, SHOWN_BODY * 2)];
  if (characters.length === 0) return '';
  const isLong = characters.length > SHOWN_BODY;
  const beginning = characters.slice(0, SHOWN_BODY).join('').trimEnd();
  return `\n${(isLong ? `${beginning}…` : beginning).replace(/^/gm, '> ')}`;
}
