import { createTransport } from 'nodemailer';
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

/** Sends one e-mail; undefined without a mail server. */
export async function sendMail(
  { config, metrics }: Pick<Platform, 'config' | 'metrics'>,
  to: string,
  message: { subject: string; text: string },
): Promise<SendResult> {
  const { outcome, result } = await tryToSend(config, to, message);
  countMails(metrics).add({ outcome });
  return result;
}

async function tryToSend(
  { smtpUrl, alertFrom }: Pick<Platform['config'], 'smtpUrl' | 'alertFrom'>,
  to: string,
  { subject, text }: { subject: string; text: string },
): Promise<{ outcome: (typeof OUTCOMES)[number]; result: SendResult }> {
  if (smtpUrl === undefined) return { outcome: 'logged', result: { state: 'logged' } };
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    // An address object, so that nothing in it is parsed as a further recipient.
    await transport.sendMail({ from: alertFrom, to: { name: '', address: to }, subject, text });
    return { outcome: 'sent', result: { state: 'sent' } };
  } catch (error) {
    const { code, command, responseCode } = error as {
      code?: string;
      command?: string;
      responseCode?: number;
    };
    const why = responseCode ?? code;
    const fault = why ? say('alert.mail-refused-with', { code: why }) : say('alert.mail-refused');
    return { outcome: command === 'RCPT TO' ? 'refused' : 'failed', result: { state: 'failed', fault } };
  } finally {
    transport.close();
  }
}
