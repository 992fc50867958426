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

export function alertMessage(digest: Digest, publicUrl: string): AlertMessage {
  const { eventCount, eventCounts, firstEventAt, lastEventAt } = digest;
  const name = plain(digest.name);
  const events = `${eventCount} ${eventCount === 1 ? 'event' : 'events'}`;
  const kinds = Object.entries(eventCounts).map(([type, count]) => `${count} ${type}`);
  const times =
    eventCount === 1
      ? `It happened at ${minuteOf(firstEventAt)}.`
      : `They happened between ${minuteOf(firstEventAt)} and ${minuteOf(lastEventAt)}.`;
  return {
    subject: `${events} of ${name} could not be delivered`,
    text: [
      `${events} of ${name} (${kinds.join(', ')}) could not be delivered: every attempt failed.`,
      times,
      `See why, and send them again, in the event log: ${publicUrl}`,
    ].join('\n'),
  };
}

/**
 * The only mail to an unconfirmed address, whose owner may not know us. The name, which the sender chose, is
 * written so that it does not become a link.
 */
export function confirmationMessage(name: string, link: string): AlertMessage {
  return {
    subject: 'Confirm where alerts are sent',
    text: [
      `Somebody entered this address for alerts about events of the application “${plain(name).replace(/[./:\\]+/g, ' ')}” that cannot be delivered.`,
      `To have such alerts sent here, open this link within 7 days: ${link}`,
      'If you did not expect this, ignore this mail: without your confirmation no alerts are sent here.',
    ].join('\n'),
  };
}

export function testMessage(name: string, publicUrl: string): AlertMessage {
  return {
    subject: `Test: alerts of ${plain(name)}`,
    text: `This is a test. Alerts of ${plain(name)} are sent here when its webhook events cannot be delivered.\n${publicUrl}`,
  };
}

function minuteOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** A name is the owner's choice and must neither mention everybody in a chat nor begin a header line. */
function plain(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/[<>]/g, '')
    .replaceAll('@', '＠');
}
