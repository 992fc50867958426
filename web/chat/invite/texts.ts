import { defineTexts } from '../../ui/texts.ts';

export const invitationTexts = defineTexts(
  {
    title: 'Invitation',
    invites: 'lets you write to them.',
    write: 'Write a message',
    own: 'This is your own invite link. Give it to those who may write to you.',
    toSettings: 'To your invite link',
    goneTitle: 'This link does not work any more',
    goneText: 'It was renewed or ended. Ask for the new one.',
  },
  {
    title: 'Einladung',
    invites: 'lässt sich von dir schreiben.',
    write: 'Nachricht schreiben',
    own: 'Das ist dein eigener Einladungslink. Gib ihn denen, die dir schreiben dürfen.',
    toSettings: 'Zu deinem Einladungslink',
    goneTitle: 'Dieser Link funktioniert nicht mehr',
    goneText: 'Er wurde erneuert oder beendet. Frag nach dem neuen.',
  },
);
