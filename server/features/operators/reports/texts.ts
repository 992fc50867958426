import type { Language } from '#contract/languages.ts';

/** The message about a decision: to whoever reported, or to those whom it concerns. */
export type Told =
  | { kind: 'reporter'; isActed: boolean }
  | { kind: 'warned'; reason: string }
  | { kind: 'removed'; reason: string; count: number }
  | { kind: 'suspended'; reason: string; until?: number | undefined };

/** @param bot the name of the bot that it is about, for its owner */
export function textFor(language: Language, told: Told, bot?: string): string {
  switch (language) {
    case 'en':
      return inEnglish(told, bot);
    case 'de':
      return inGerman(told, bot);
    default:
      return language satisfies never;
  }
}

function inEnglish(told: Told, bot: string | undefined): string {
  switch (told.kind) {
    case 'reporter':
      return told.isActed
        ? 'Thank you for your report. We looked at it and acted on it.'
        : 'Thank you for your report. We looked at it and found nothing to act on. You can block whoever bothers you.';
    case 'warned':
      return `${bot === undefined ? 'You were' : `Your bot ${bot} was`} reported, and we ask you to stop: ${told.reason}`;
    case 'removed':
      return `We removed ${told.count === 1 ? 'a message' : `${told.count} messages`} of ${bot === undefined ? 'yours' : `your bot ${bot}`}: ${told.reason}`;
    case 'suspended':
      return `${bot === undefined ? 'Your account' : `The application of your bot ${bot}`} was suspended${told.until === undefined ? '' : ` until ${inUtc(told.until, 'en-GB')}`}: ${told.reason}`;
    default:
      return told satisfies never;
  }
}

function inGerman(told: Told, bot: string | undefined): string {
  switch (told.kind) {
    case 'reporter':
      return told.isActed
        ? 'Danke für deine Meldung. Wir haben sie geprüft und etwas unternommen.'
        : 'Danke für deine Meldung. Wir haben sie geprüft und sehen keinen Anlass, etwas zu unternehmen. Du kannst blockieren, wer dich stört.';
    case 'warned':
      return `${bot === undefined ? 'Du wurdest' : `Dein Bot ${bot} wurde`} gemeldet, und wir bitten dich, damit aufzuhören: ${told.reason}`;
    case 'removed':
      return `Wir haben ${told.count === 1 ? 'eine Nachricht' : `${told.count} Nachrichten`} ${bot === undefined ? 'von dir' : `deines Bots ${bot}`} entfernt: ${told.reason}`;
    case 'suspended':
      return `${bot === undefined ? 'Dein Konto wurde' : `Die Anwendung deines Bots ${bot} wurde`}${told.until === undefined ? '' : ` bis ${inUtc(told.until, 'de-DE')}`} gesperrt: ${told.reason}`;
    default:
      return told satisfies never;
  }
}

function inUtc(at: number, locale: string): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(locale, format).format(at)} (UTC)`;
}
