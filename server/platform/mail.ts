import { createTransport, type Transporter } from 'nodemailer';
import { type Said, say } from '#contract/reasons.ts';
import type { Counter, Metrics } from './monitoring/metrics.ts';
import type { Platform } from './platform.ts';

const TIMEOUT_MS = 10_000;

/** The result of sending a message; a fault never contains the other side's response. */
export type SendResult = { state: 'sent' | 'logged' } | { state: 'failed'; fault: Said };

/** `refused`: the mail server rejects this recipient, which the operator cannot fix. */
const OUTCOMES = ['sent', 'refused', 'failed', 'logged'] as const;

/** Every outcome has a series from the beginning, so that the first failure is visible as an increase. */
export function countMails(metrics: Metrics): Counter {
  const mails = metrics.counter('parley_mails_total', 'E-mails, by what became of them.');
  for (const outcome of OUTCOMES) mails.series({ outcome });
  return mails;
}

type MailDeps = Pick<Platform, 'config' | 'metrics' | 'log'>;

/** Sends one e-mail. The log says why the mail server could not be used; the recipient is not in it. */
export async function sendMail(
  { config, metrics, log }: MailDeps,
  to: string,
  message: { subject: string; text: string },
): Promise<SendResult> {
  const { outcome, result } = await tryToSend({ config, log }, to, message);
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
    await transport.sendMail({ from: alertFrom, to: { name: '', address: to }, subject, text });
    return { outcome: 'sent', result: { state: 'sent' } };
  } catch (error) {
    const { message, code, originalCode, command, responseCode } = error as Error & {
      code?: string;
      /** Of the system, where `code` is that of the library. */
      originalCode?: string;
      command?: string;
      responseCode?: number;
    };
    const why = responseCode ?? originalCode ?? code;
    const fault = why ? say('alert.mail-refused-with', { code: why }) : say('alert.mail-refused');
    const result = { state: 'failed', fault } as const;
    if (command === 'RCPT TO') return { outcome: 'refused', result };
    // A response may name the recipient.
    const reason = responseCode ? `${responseCode} after ${command}` : message;
    log.warn({ host: new URL(smtpUrl).host, reason }, 'the mail server did not accept an e-mail');
    return { outcome: 'failed', result };
  } finally {
    transport.close();
  }
}
