import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import type { SignInByPasskey } from '#contract/accounts/second-factors.ts';
import { callAuth } from '../api.ts';
import { text } from '../texts.ts';

type WebAuthn = typeof import('@simplewebauthn/browser');

/** Fetches a challenge from the server, and has the person's authenticator sign it. */
export async function answerByPasskey(purpose: 'sign-in' | 'confirm'): Promise<SignInByPasskey> {
  const { ticket, options } = await callAuth(`POST /${purpose}/passkey/options`);
  const response = await withAuthenticator(({ startAuthentication }) =>
    startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }),
  );
  return { ticket, response: response as SignInByPasskey['response'] };
}

/** Most visits need no passkey, so its code is loaded here. The browser's message after a cancellation is not useful. */
export async function withAuthenticator<T>(ceremony: (webAuthn: WebAuthn) => Promise<T>): Promise<T> {
  const webAuthn = await import('@simplewebauthn/browser');
  try {
    return await ceremony(webAuthn);
  } catch (error) {
    if (
      error instanceof webAuthn.WebAuthnError ||
      error instanceof DOMException ||
      (error as Error).name === 'NotAllowedError'
    ) {
      throw new Error(text('ui.session.passkeyFailed'), { cause: error });
    }
    throw error;
  }
}
