import { createTransport, type Transporter } from 'nodemailer';
import { type Said, say } from '#contract/reasons.ts';
import { atMost } from './concurrency/at-most.ts';
import type { Counter, Metrics } from './monitoring/metrics.ts';
import type { Platform } from './platform.ts';

const TIMEOUT_MS = 10_000;

/** Many mail servers refuse more connections of one client; some take three, of which one may still be closing. */
const inTurn = atMost(2);

/** The result of sending a message; a fault never contains the other side's response. */
export type SendResult = { state: 'sent' | 'logged' } | { state: 'failed'; fault: Said };

/** `refused`: there is no such mailbox, or it is full, which the operator cannot fix. */
const OUTCOMES = ['sent', 'refused', 'failed', 'logged'] as const;

/** Every outcome has a series from the beginning, so that the first failure is visible as an increase. */
export function countMails(metrics: Metrics): Counter {
  const mails = metrics.counter('parley_mails_total', 'E-mails, by what became of them.');
  for (const outcome of OUTCOMES) mails.series({ outcome });
  return mails;
}

/** The codes of a response (RFC 5321, RFC 3463), such as `550 5.1.1`. */
const STATUS = /^\d{3}(?:[ -]\d\.\d+\.\d+)?/;

/** Many servers also tell after the recipient that they do not relay, or refuse the sender or its host. */
const OF_MAILBOX = /^5\d\d$|^\d+.5\.(1\.(?![78]$)|2\.)/;

type MailDeps = Pick<Platform, 'config' | 'metrics' | 'log'>;

/** Sends one e-mail. The log says why the mail server could not be used; the recipient is not in it. */
export async function sendMail(
  { config, metrics, log }: MailDeps,
  to: string,
  message: { subject: string; text: string },
): Promise<SendResult> {
  const { outcome, result } = await inTurn(() => tryToSend({ config, log }, to, message));
  countMails(metrics).add({ outcome });
  return result;
}

/** To be closed. */
export function openTransport(url: string, timeoutMs: number): Transporter {
  return createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

async function tryToSend(
  { config: { smtpUrl, alertFrom }, log }: Pick<MailDeps, 'config' | 'log'>,
  to: string,
  { subject, text }: { subject: string; text: string },
): Promise<{ outcome: (typeof OUTCOMES)[number]; result: SendResult }> {
  if (smtpUrl === undefined) return { outcome: 'logged', result: { state: 'logged' } };
  const transport = openTransport(smtpUrl, TIMEOUT_MS);
  try {
    // An address object, so that nothing in it is parsed as a further recipient.
    await transport.sendMail({
      from: alertFrom,
      to: { name: '', address: to },
      subject,
      text,
      // Nobody reads what absence notes would answer (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return { outcome: 'sent', result: { state: 'sent' } };
  } catch (error) {
    const { message, code, originalCode, command, response, responseCode } = error as Error & {
      code?: string;
      /** Of the system, where `code` is that of the library. */
      originalCode?: string;
      command?: string;
      response?: string;
      responseCode?: number;
    };
    const why = responseCode ?? originalCode ?? code;
    const fault = why ? say('alert.mail-refused-with', { code: why }) : say('alert.mail-refused');
    // A response may name the recipient.
    const [status] = STATUS.exec(response ?? '') ?? [];
    const reason = status ? `${status} after ${command}` : message;
    log.warn({ host: new URL(smtpUrl).host, reason }, 'the mail server did not accept an e-mail');
    const isOfMailbox = command === 'RCPT TO' && status !== undefined && OF_MAILBOX.test(status);
    return { outcome: isOfMailbox ? 'refused' : 'failed', result: { state: 'failed', fault } };
  } finally {
    transport.close();
  }
}
