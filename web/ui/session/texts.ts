import { defineTexts } from '../texts.ts';

export const sessionTexts = defineTexts(
  {
    signIn: 'Sign in',
    signUp: 'Create an account',
    signInLead: 'Welcome back.',
    signUpLead: 'One account chats, owns bots, and signs in to other applications.',
    email: 'E-mail address',
    password: 'Password',
    newPasswordHint: '8 to 128 characters; a sentence is easier to keep than a puzzle.',
    name: 'Your name',
    nameHint: 'As other people see it.',
    noAccount: 'New here?',
    haveAccount: 'You have an account?',
    signOut: 'Sign out',
    confirmTitle: 'Is it you?',
    confirmLead: 'This shows or makes a secret, or deletes something. Your sign-in is over 10 minutes old.',
    confirm: 'Confirm',
  },
  {
    signIn: 'Anmelden',
    signUp: 'Konto anlegen',
    signInLead: 'Willkommen zurück.',
    signUpLead: 'Ein Konto chattet, besitzt Bots und meldet dich bei anderen Anwendungen an.',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    newPasswordHint: '8 bis 128 Zeichen; ein Satz merkt sich leichter als ein Rätsel.',
    name: 'Dein Name',
    nameHint: 'So, wie andere ihn sehen.',
    noAccount: 'Neu hier?',
    haveAccount: 'Du hast schon ein Konto?',
    signOut: 'Abmelden',
    confirmTitle: 'Bist du es?',
    confirmLead:
      'Hier wird ein Geheimnis gezeigt, erzeugt oder etwas gelöscht. Deine Anmeldung ist über 10 Minuten alt.',
    confirm: 'Bestätigen',
  },
);
