import type { Translate } from '#contract/texts.ts';
import { displayName } from '#platform/display-name.ts';

/** The facts of an alert: numbers and the application's name; no message text, person or address. */
export interface Digest {
  name: string;
  eventCount: number;
  eventCounts: Record<string, number>;
  firstEventAt: number;
  lastEventAt: number;
}

/** The message that a contact gets, by e-mail or in a chat. */
export interface AlertMessage {
  subject: string;
  text: string;
}

export function alertMessage(t: Translate, digest: Digest, eventLogUrl: string): AlertMessage {
  const { eventCount: count, eventCounts, firstEventAt, lastEventAt } = digest;
  const name = plain(t, digest.name);
  const kinds = Object.entries(eventCounts).map(([type, many]) => `${many} ${type}`);
  return {
    subject: t('mail.alert.subject', { count, name }),
    text: [
      t('mail.alert.text', { count, name, kinds: kinds.join(', ') }),
      count === 1
        ? t('mail.alert.at', { time: minuteOf(firstEventAt) })
        : t('mail.alert.between', { from: minuteOf(firstEventAt), to: minuteOf(lastEventAt) }),
      t('mail.alert.where', { url: eventLogUrl }),
    ].join('\n'),
  };
}

/**
 * The only mail to an unconfirmed address, whose owner may not know us. The name, which the sender chose, is
 * written so that it does not become a link.
 */
export function confirmationMessage(t: Translate, name: string, link: string): AlertMessage {
  return {
    subject: t('mail.confirmContact.subject'),
    text: [
      t('mail.confirmContact.about', { name: plain(t, name).replace(/[./:\\]+/g, ' ') }),
      t('mail.confirmContact.open', { link }),
      t('mail.confirmContact.ignore'),
    ].join('\n'),
  };
}

export function testMessage(t: Translate, name: string, publicUrl: string): AlertMessage {
  return {
    subject: t('mail.testAlert.subject', { name: plain(t, name) }),
    text: t('mail.testAlert.text', { name: plain(t, name), url: publicUrl }),
  };
}

function minuteOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** A name is the owner's choice and must neither mention everybody in a chat nor begin a header line. */
function plain(t: Translate, name: string): string {
  const shown = displayName(name) ?? t('pages.consent.namelessApplication');
  return shown.replace(/[<>]/g, '').replaceAll('@', '＠');
}
