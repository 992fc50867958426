import { defineTexts } from '../../ui/texts.ts';

export const detailsTexts = defineTexts(
  {
    title: 'Details',
    bot: 'Bot',
    about: 'What it does',
    commands: 'Commands',
    noDescription: 'No description.',
    mute: 'No notifications',
    block: 'Block',
    blockTitle: 'Block this account?',
    blockText: 'It can no longer write to you. You can unblock it at any time.',
    unblock: 'Unblock',
    blocked: 'Blocked',
    unblocked: 'Unblocked',
    hide: 'Delete conversation',
    hideTitle: 'Delete this conversation?',
    hideText:
      'The messages disappear for you, not for others. The conversation returns with the next new message, without the old ones.',
    hidden: 'Deleted for you',
  },
  {
    title: 'Details',
    bot: 'Bot',
    about: 'Was er tut',
    commands: 'Befehle',
    noDescription: 'Keine Beschreibung.',
    mute: 'Keine Benachrichtigungen',
    block: 'Blockieren',
    blockTitle: 'Dieses Konto blockieren?',
    blockText: 'Es kann dir nicht mehr schreiben. Du kannst das jederzeit aufheben.',
    unblock: 'Nicht mehr blockieren',
    blocked: 'Blockiert',
    unblocked: 'Nicht mehr blockiert',
    hide: 'Unterhaltung löschen',
    hideTitle: 'Diese Unterhaltung löschen?',
    hideText:
      'Die Nachrichten verschwinden bei dir, nicht bei anderen. Mit der nächsten neuen Nachricht erscheint die Unterhaltung wieder, ohne die alten.',
    hidden: 'Bei dir gelöscht',
  },
);
