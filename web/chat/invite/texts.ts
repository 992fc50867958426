import { defineTexts } from '../../ui/texts.ts';

export const invitationTexts = defineTexts(
  {
    title: 'Invitation',
    invites: 'invites you to write to them.',
    write: 'Write a message',
    own: 'This is your own invite link. Share it with the people who may write to you.',
    toSettings: 'Go to your invite link',
    goneTitle: 'This link no longer works',
    goneText: 'It was replaced or removed. Ask for a new one.',
  },
  {
    title: 'Einladung',
    invites: 'hat dich eingeladen, zu schreiben.',
    write: 'Nachricht schreiben',
    own: 'Das ist dein eigener Einladungslink. Gib ihn denen, die dir schreiben dürfen.',
    toSettings: 'Zu deinem Einladungslink',
    goneTitle: 'Dieser Link funktioniert nicht mehr',
    goneText: 'Er wurde ersetzt oder entfernt. Frag nach einem neuen.',
  },
);
