import {
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnError,
} from '@simplewebauthn/browser';
import type { SignInByPasskey } from '#contract/accounts/second-factors.ts';
import { callAuth } from '../api.ts';
import { language } from '../texts.ts';
import { sessionTexts } from './texts.ts';

/** Fetches a challenge from the server, and has the person's authenticator sign it. */
export async function answerByPasskey(purpose: 'sign-in' | 'confirm'): Promise<SignInByPasskey> {
  const { ticket, options } = await callAuth(`POST /${purpose}/passkey/options`);
  const response = await inWords(
    startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }),
  );
  return { ticket, response: response as SignInByPasskey['response'] };
}

/** The browser's error message after a cancellation is not useful. */
export async function inWords<T>(ceremony: Promise<T>): Promise<T> {
  try {
    return await ceremony;
  } catch (error) {
    if (
      error instanceof WebAuthnError ||
      error instanceof DOMException ||
      (error as Error).name === 'NotAllowedError'
    ) {
      throw new Error(sessionTexts[language()].passkeyFailed, { cause: error });
    }
    throw error;
  }
}
