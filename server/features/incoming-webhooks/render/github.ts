import type { Fields } from './json.ts';
import { bold, joined, line, link } from './markdown.ts';

const SHOWN_COMMITS = 10;
const SHOWN_BODY = 300;

/** @param event the value of the header `X-GitHub-Event` */
export function fromGitHub(event: string, payload: Fields): string {
  const repository = payload.fields('repository');
  const fullName = repository.text('full_name') || payload.fields('organization').text('login');
  const where = fullName === '' ? '' : `${link(line(fullName), repository.text('html_url'))}: `;
  return where + describe(event, payload);
}

function describe(event: string, payload: Fields): string {
  const who = bold(line(payload.fields('sender').text('login') || 'somebody'));
  const action = line(payload.text('action')).replaceAll('_', ' ');
  switch (event) {
    case 'ping':
      return 'GitHub will post here.';
    case 'push':
      return fromPush(who, payload);
    case 'pull_request': {
      const pull = payload.fields('pull_request');
      const isMerged = action === 'closed' && pull.isTrue('merged');
      const done = isMerged ? 'merged' : (PULL_REQUEST_ACTIONS.get(action) ?? action);
      return `${who} ${done} pull request ${numbered(pull)}${withOf(payload)}${action === 'opened' ? bodyOf(pull) : ''}`;
    }
    case 'issues': {
      const issue = payload.fields('issue');
      return `${who} ${action} issue ${numbered(issue)}${withOf(payload)}${action === 'opened' ? bodyOf(issue) : ''}`;
    }
    case 'issue_comment':
      return fromComment(who, action, payload, 'issue');
    case 'pull_request_review_comment':
      return fromComment(who, action, payload, 'pull_request');
    case 'pull_request_review': {
      const review = payload.fields('review');
      const state = review.text('state').toLowerCase();
      const done = action === 'submitted' ? (REVIEWS.get(state) ?? 'reviewed') : `${action} a review of`;
      const pull = numbered(payload.fields('pull_request'));
      return `${who} ${link(done, review.text('html_url'))} pull request ${pull}${bodyOf(review)}`;
    }
    case 'workflow_run':
      return fromWorkflowRun(action, payload.fields('workflow_run'));
    case 'release': {
      const release = payload.fields('release');
      const name = line(release.text('name') || release.text('tag_name'));
      return `${who} ${action} release ${link(name, release.text('html_url'))}${bodyOf(release)}`;
    }
    case 'create':
    case 'delete': {
      const kind = line(payload.text('ref_type') || 'branch');
      return `${who} ${event}d the ${kind} ${bold(line(payload.text('ref')))}`;
    }
    case 'fork': {
      const fork = payload.fields('forkee');
      return `${who} forked it to ${link(line(fork.text('full_name')), fork.text('html_url'))}`;
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
  const comment = payload.fields('comment');
  const commented = link(
    action === 'created' ? 'commented' : `${action} a comment`,
    comment.text('html_url'),
  );
  return `${who} ${commented} on ${numbered(payload.fields(on))}${bodyOf(comment)}`;
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
  const names = SUBJECTS.map(([subject, field]) => payload.fields(subject).text(field));
  const name = names.find((one) => one !== '');
  return name === undefined ? '' : ` (${line(name)})`;
}

/**
 * An event without special treatment. Most payloads have an object of the event's name, or of the last part of it
 * (`dependabot_alert`).
 */
function fromOther(who: string, action: string, event: string, payload: Fields): string {
  const isStatus = event === 'status';
  const part = payload.has(event) ? event : event.slice(event.lastIndexOf('_') + 1);
  const thing = isStatus ? payload : payload.fields(part);
  const kind = line(event).replaceAll('_', ' ');
  const name = line(isStatus ? thing.text('context') : nameOf(thing));
  const address = thing.text(isStatus ? 'target_url' : 'html_url');
  const isOver = action === 'completed';
  const outcome = thing.text(isOver ? 'conclusion' : event.endsWith('status') ? 'state' : '');
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
    thing.text('title') ||
    thing.text('name') ||
    thing.text('login') ||
    thing.text('summary') ||
    thing.text('environment') ||
    thing.fields('rule').text('description') ||
    thing.fields('security_advisory').text('summary')
  );
}

function fromPush(who: string, payload: Fields): string {
  const ref = line(payload.text('ref').replace(/^refs\/(?:heads|tags)\//, ''));
  const kind = payload.text('ref').startsWith('refs/tags/') ? 'tag' : 'branch';
  if (payload.isTrue('deleted')) return `${who} deleted the ${kind} ${bold(ref)}`;
  const count = payload.count('commits');
  if (count === 0)
    return `${who} ${payload.isTrue('created') ? 'created' : 'pushed'} the ${kind} ${bold(ref)}`;
  const commits = payload.list('commits', SHOWN_COMMITS).map((commit) => {
    const id = link(line(commit.text('id').slice(0, 7)), commit.text('url'));
    return `${id} ${line(commit.text('message'))}`;
  });
  const forced = payload.isTrue('forced') ? ' (forced)' : '';
  const pushed = link(count === 1 ? '1 commit' : `${count} commits`, payload.text('compare'));
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
  const conclusion = run.text('conclusion');
  const mark = CONCLUSIONS.get(conclusion) ?? '⚪';
  const name = `${line(run.text('name') || 'workflow')} #${line(run.text('run_number'))}`;
  const branch = run.text('head_branch');
  return joined(
    [
      mark,
      bold(link(name, run.text('html_url'))),
      line(conclusion || action).replaceAll('_', ' '),
      branch && `on ${line(branch)}`,
    ],
    ' ',
  );
}

/** `[#12 Title](address)`. */
function numbered(thing: Fields): string {
  return link(`#${line(thing.text('number'))} ${line(thing.text('title'))}`, thing.text('html_url'));
}

/** The beginning of a body, in GitHub's Markdown, which is nearly the chat's. */
function bodyOf(thing: Fields): string {
  const characters = [...thing.text('body').slice(0, SHOWN_BODY * 2)];
  if (characters.length === 0) return '';
  const isLong = characters.length > SHOWN_BODY;
  const beginning = characters.slice(0, SHOWN_BODY).join('').trimEnd();
  return `\n${(isLong ? `${beginning}…` : beginning).replace(/^/gm, '> ')}`;
}
