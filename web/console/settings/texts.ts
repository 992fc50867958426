import { defineTexts } from '../../ui/texts.ts';

export const settingsTexts = defineTexts(
  {
    title: 'Settings',
    name: 'Name',
    nameHint: 'People see it as the bot’s name and on the consent page.',
    renamed: 'Renamed',
    life: 'Status',
    activeText: 'The API key and OAuth tokens work, and events go to the webhook.',
    disabledText:
      'The API key and OAuth tokens remain, but requests with them get 403, and no webhooks are sent. The bot itself stays as it is.',
    suspendedText:
      'The operator of this server has suspended the application. Only they can lift the suspension.',
    disable: 'Disable',
    disableTitle: 'Disable this application?',
    disableText:
      'Until you reactivate it, its API key and tokens are refused and its events are not recorded. What exists now is kept.',
    disabledDone: 'Application disabled',
    reactivate: 'Reactivate',
    reactivatedDone: 'Application reactivated',
    deleteTitle: 'Delete this application',
    deleteLead: 'This cannot be undone, and the bot’s username can never be used again.',
    deleteText:
      'Its API key and all tokens stop working at once, the webhook URL and secret are removed, and the bot appears as “Deleted bot”. Its messages remain visible.',
    typeName: (name: string) => `Type the name to confirm: ${name}`,
    deletedDone: 'Application deleted',
  },
  {
    title: 'Einstellungen',
    name: 'Name',
    nameHint: 'So heißt der Bot, und so steht die Anwendung auf der Einwilligungsseite.',
    renamed: 'Umbenannt',
    life: 'Status',
    activeText: 'API-Schlüssel und OAuth-Token gelten, und Ereignisse gehen an den Webhook.',
    disabledText:
      'API-Schlüssel und OAuth-Token bleiben erhalten, werden aber mit 403 abgewiesen, und es wird kein Webhook gesendet. Der Bot selbst bleibt, wie er ist.',
    suspendedText:
      'Der Betreiber dieses Servers hat die Anwendung gesperrt. Nur er kann die Sperre aufheben.',
    disable: 'Abschalten',
    disableTitle: 'Diese Anwendung abschalten?',
    disableText:
      'Bis du sie wieder einschaltest, werden Schlüssel und Token abgewiesen und Ereignisse nicht aufgezeichnet. Was jetzt da ist, bleibt.',
    disabledDone: 'Die Anwendung ist abgeschaltet',
    reactivate: 'Wieder einschalten',
    reactivatedDone: 'Die Anwendung ist wieder aktiv',
    deleteTitle: 'Diese Anwendung löschen',
    deleteLead: 'Das lässt sich nicht rückgängig machen, und der Benutzername des Bots bleibt vergeben.',
    deleteText:
      'API-Schlüssel und alle Token gelten sofort nicht mehr, Webhook-Adresse und -Geheimnis werden entfernt, und der Bot heißt „Gelöschter Bot“. Seine Nachrichten bleiben sichtbar.',
    typeName: (name) => `Zur Bestätigung den Namen eingeben: ${name}`,
    deletedDone: 'Die Anwendung ist gelöscht',
  },
);
