import { defineTexts } from '../../ui/texts.ts';

export const invitationTexts = defineTexts(
  {
    title: 'Invitation',
    invites: 'invites you to write to them.',
    write: 'Write a message',
    own: 'This is your own invite link. Share it with the people who may write to you.',
    toSettings: 'Go to your invite link',
    invitedBy: (name: string) => `${name} invites you to Parley`,
    invitedText: 'Create an account, or sign in, to write to each other.',
    goneTitle: 'This link no longer works',
    goneText: 'It was replaced or removed. Ask for a new one.',
  },
  {
    title: 'Einladung',
    invites: 'hat dich eingeladen, eine Nachricht zu schreiben.',
    write: 'Nachricht schreiben',
    own: 'Das ist dein eigener Einladungslink. Gib ihn denen, die dir schreiben dürfen.',
    toSettings: 'Zu deinem Einladungslink',
    invitedBy: (name) => `${name} lädt dich zu Parley ein`,
    invitedText: 'Leg ein Konto an oder melde dich an, um mit dieser Person zu schreiben.',
    goneTitle: 'Dieser Link funktioniert nicht mehr',
    goneText: 'Er wurde ersetzt oder entfernt. Bitte um einen neuen.',
  },
);
