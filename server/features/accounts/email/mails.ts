import type { Language } from '#contract/languages.ts';

interface Mail {
  subject: string;
  text: string;
}

/** How long the link in the mail is valid. */
export const LINK_DAYS = 7;

export function confirmationMail(link: string, language: Language): Mail {
  switch (language) {
    case 'de':
      return {
        subject: 'Ist das deine Adresse?',
        text: `Jemand hat diese E-Mail-Adresse für ein Konto bei Parley angegeben. Wenn du das warst, bestätige sie hier; der Link gilt ${LINK_DAYS} Tage:\n\n${link}\n\nSonst musst du nichts tun.\n`,
      };
    case 'en':
      return {
        subject: 'Is this your address?',
        text: `Somebody entered this e-mail address for an account at Parley. If it was you, confirm it here; the link works for ${LINK_DAYS} days:\n\n${link}\n\nOtherwise there is nothing to do.\n`,
      };
    default:
      return language satisfies never;
  }
}

/** To the previous address, whose owner may not have requested the change. */
export function changedMail(language: Language): Mail {
  switch (language) {
    case 'de':
      return {
        subject: 'Deine E-Mail-Adresse bei Parley ist geändert',
        text: 'Dein Konto hat jetzt eine andere E-Mail-Adresse; mit dieser kann sich niemand mehr anmelden.\n\nWenn du das nicht warst, wende dich an den Betreiber.\n',
      };
    case 'en':
      return {
        subject: 'Your e-mail address at Parley has changed',
        text: 'Your account now has another e-mail address; this one can no longer be used to sign in.\n\nIf that was not you, tell the operator of the server.\n',
      };
    default:
      return language satisfies never;
  }
}
