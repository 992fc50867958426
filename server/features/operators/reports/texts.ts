import type { Language } from '#contract/languages.ts';

/** The message about a decision: to the reporter, or to the person concerned. */
export type DecisionNotice =
  | { kind: 'reporter'; isActed: boolean }
  | { kind: 'warned'; reason: string }
  | { kind: 'removed'; reason: string; count: number }
  | { kind: 'suspended'; reason: string; until?: number | undefined };

/** @param bot the name of the bot that it is about, for its owner */
export function textFor(language: Language, notice: DecisionNotice, bot?: string): string {
  switch (language) {
    case 'en':
      return inEnglish(notice, bot);
    case 'de':
      return inGerman(notice, bot);
    default:
      return language satisfies never;
  }
}

function inEnglish(notice: DecisionNotice, bot: string | undefined): string {
  switch (notice.kind) {
    case 'reporter':
      return notice.isActed
        ? 'Thank you for your report. We looked at it and acted on it.'
        : 'Thank you for your report. We looked at it and found nothing to act on. You can block whoever bothers you.';
    case 'warned':
      return `${bot === undefined ? 'You were' : `Your bot ${bot} was`} reported, and we ask you to stop: ${notice.reason}`;
    case 'removed':
      return `We removed ${notice.count === 1 ? 'a message' : `${notice.count} messages`} of ${bot === undefined ? 'yours' : `your bot ${bot}`}: ${notice.reason}`;
    case 'suspended':
      return `${bot === undefined ? 'Your account' : `The application of your bot ${bot}`} was suspended${notice.until === undefined ? '' : ` until ${inUtc(notice.until, 'en-GB')}`}: ${notice.reason}`;
    default:
      return notice satisfies never;
  }
}

function inGerman(notice: DecisionNotice, bot: string | undefined): string {
  switch (notice.kind) {
    case 'reporter':
      return notice.isActed
        ? 'Danke für deine Meldung. Wir haben sie geprüft und etwas unternommen.'
        : 'Danke für deine Meldung. Wir haben sie geprüft und sehen keinen Anlass, etwas zu unternehmen. Du kannst blockieren, wer dich stört.';
    case 'warned':
      return `${bot === undefined ? 'Du wurdest' : `Dein Bot ${bot} wurde`} gemeldet, und wir bitten dich, damit aufzuhören: ${notice.reason}`;
    case 'removed':
      return `Wir haben ${notice.count === 1 ? 'eine Nachricht' : `${notice.count} Nachrichten`} ${bot === undefined ? 'von dir' : `deines Bots ${bot}`} entfernt: ${notice.reason}`;
    case 'suspended':
      return `${bot === undefined ? 'Dein Konto wurde' : `Die Anwendung deines Bots ${bot} wurde`}${notice.until === undefined ? '' : ` bis ${inUtc(notice.until, 'de-DE')}`} gesperrt: ${notice.reason}`;
    default:
      return notice satisfies never;
  }
}

function inUtc(at: number, locale: string): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(locale, format).format(at)} (UTC)`;
}
