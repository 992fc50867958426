import { defineTexts } from '../../ui/texts.ts';

export const detailsTexts = defineTexts(
  {
    title: 'Details',
    bot: 'Bot',
    about: 'What it does',
    commands: 'Commands',
    noDescription: 'It says nothing about itself.',
    mute: 'No notifications',
    block: 'Block',
    blockTitle: 'Block this account?',
    blockText: 'It cannot write to you any more. You can unblock it at any time.',
    unblock: 'Unblock',
    blocked: 'Blocked',
    unblocked: 'Not blocked any more',
    hide: 'Delete conversation',
    hideTitle: 'Delete this conversation?',
    hideText:
      'What was written disappears for you, not for the others. A new message brings the conversation back, without it.',
    hidden: 'Deleted for you',
  },
  {
    title: 'Details',
    bot: 'Bot',
    about: 'Was er tut',
    commands: 'Befehle',
    noDescription: 'Er sagt nichts über sich.',
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
      'Was geschrieben wurde, verschwindet bei dir, nicht bei den anderen. Eine neue Nachricht bringt die Unterhaltung zurück, ohne das Alte.',
    hidden: 'Bei dir gelöscht',
  },
);
