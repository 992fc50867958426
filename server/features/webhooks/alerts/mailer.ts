import { createTransport } from 'nodemailer';
import type { Config } from '#platform/config.ts';
import type { AlertMessage } from './message.ts';

const TIMEOUT_MS = 10_000;

/** How a message fared: a fault is a word of ours, never what the other side said. */
export type SendResult = { state: 'sent' | 'logged' } | { state: 'failed'; fault: string };

/** Sends one e-mail; without a mail server there is nothing to send with. */
export async function sendMail(
  { smtpUrl, alertFrom }: Pick<Config, 'smtpUrl' | 'alertFrom'>,
  to: string,
  { subject, text }: AlertMessage,
): Promise<SendResult> {
  if (smtpUrl === undefined) return { state: 'logged' };
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    // As an address object: nothing in it is read as a further recipient.
    await transport.sendMail({ from: alertFrom, to: { name: '', address: to }, subject, text });
    return { state: 'sent' };
  } catch (error) {
    const { code, responseCode } = error as { code?: string; responseCode?: number };
    const said = responseCode ? ` (${responseCode})` : code ? ` (${code})` : '';
    return { state: 'failed', fault: `The mail server did not take it${said}.` };
  } finally {
    transport.close();
  }
}
