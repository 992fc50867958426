import type { Report } from '#contract/chat/reports.ts';
import type { Language } from '#contract/languages.ts';
import type { DecideReport } from '#contract/operate/reports.ts';
import { type Account, SERVICE_ACCOUNT_ID } from '#features/accounts/index.ts';
import type { Tx } from '#platform/database.ts';
import { textsIn } from '#platform/texts.ts';
import type { OperatorDeps } from './deps.ts';

/**
 * Tells the reporter and the people concerned what was decided, in the transaction that decides it.
 *
 * @returns what shows the messages once it has committed
 */
export async function tellDecision(
  tx: Tx,
  deps: OperatorDeps,
  {
    report,
    reported,
    given,
    removed,
  }: { report: Report; reported: Account | undefined; given: DecideReport; removed: string[] },
): Promise<(() => void)[]> {
  const { accounts } = deps;
  const { decision, reason = '', until } = given;
  const authors = report.messages.filter(({ msgId }) => removed.includes(msgId)).map(({ from }) => from);
  const authorsOf = await accounts.findAll(authors, tx);
  const tellings: { account: Account | undefined; notice: DecisionNotice }[] = [
    {
      account: await accounts.find(report.reporterId, tx),
      notice: { kind: 'reporter', isActed: decision !== 'nothing' },
    },
    ...(decision === 'warned' || decision === 'suspended'
      ? [{ account: reported, notice: { kind: decision, reason, until } as const }]
      : []),
    ...authorsOf.map((account) => {
      const count = authors.filter((from) => from === account.accountId).length;
      return { account, notice: { kind: 'removed', reason, count } as const };
    }),
  ];
  const shows: (() => void)[] = [];
  for (const { account, notice } of tellings) {
    const show = account && (await tell(tx, deps, account, notice));
    if (show) shows.push(show);
  }
  return shows;
}

/** Messages about a bot go to its owner. */
async function tell(
  tx: Tx,
  deps: OperatorDeps,
  account: Account,
  notice: DecisionNotice,
): Promise<(() => void) | undefined> {
  const { accounts, applications, messages } = deps;
  if (account.deletedAt !== null) return undefined;
  const personId = account.appId === null ? account.accountId : await applications.findOwnerId(account.appId);
  if (personId === undefined || (account.isBot && account.appId === null)) return undefined;
  const language = await accounts.findLanguage(personId, tx);
  const text = textFor(language, notice, account.isBot ? account.name : undefined);
  return messages.botInbox.tell(tx, SERVICE_ACCOUNT_ID, [{ personId, text }]);
}

/** The message about a decision: to the reporter, or to the person concerned. */
type DecisionNotice =
  | { kind: 'reporter'; isActed: boolean }
  | { kind: 'warned'; reason: string }
  | { kind: 'removed'; reason: string; count: number }
  | { kind: 'suspended'; reason: string; until?: number | undefined };

/** @param bot the name of the bot that it is about, for its owner */
function textFor(language: Language, notice: DecisionNotice, bot?: string): string {
  const t = textsIn(language);
  if (notice.kind === 'reporter')
    return t(notice.isActed ? 'notice.reporter.acted' : 'notice.reporter.notActed');
  const { reason } = notice;
  switch (notice.kind) {
    case 'warned':
      return bot === undefined
        ? t('notice.person.warned', { reason })
        : t('notice.bot.warned', { bot, reason });
    case 'removed': {
      const { count } = notice;
      return bot === undefined
        ? t('notice.person.removed', { count, reason })
        : t('notice.bot.removed', { bot, count, reason });
    }
    case 'suspended': {
      if (bot !== undefined) return t('notice.bot.suspended', { bot, reason });
      if (notice.until === undefined) return t('notice.person.suspended', { reason });
      const until = inUtc(notice.until, language === 'en' ? 'en-GB' : language);
      return t('notice.person.suspendedUntil', { until, reason });
    }
    default:
      return notice satisfies never;
  }
}

function inUtc(at: number, locale: string): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(locale, format).format(at)} (UTC)`;
}
