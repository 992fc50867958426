import { defineTexts } from '../../ui/texts.ts';

export const credentialsTexts = defineTexts(
  {
    title: 'Credentials',
    lead: 'Secrets are shown once, when they are created. This page only has their fingerprints.',
    apiKeys: 'API keys',
    apiKeysLead:
      'Each acts as the bot. Send it as Authorization: Bearer. To replace one without a gap, create another, put it in use, then revoke the old one.',
    createKey: 'Create a key',
    editKey: 'Edit the key',
    keyName: 'Name',
    keyNameHint: 'Where it is used, such as the name of a server.',
    keyChanged: 'API key changed',
    keyRevoked: 'API key revoked',
    noKeys: 'No key is left: the bot cannot call the API.',
    revoke: 'Revoke',
    revokeTitle: (name: string) => `Revoke the key “${name}”?`,
    revokeText: 'It stops working at once, wherever it is used. The other keys keep working.',
    revokeLastText: 'It is the only key: the bot cannot call the API until you create another one.',
    fingerprint: 'SHA-256 fingerprint',
    created: 'Created',
    lastUsed: 'Last used',
    never: 'never',
    scopes: 'Scopes',
    regenerate: 'Regenerate',
    regenerateKeyTitle: 'Regenerate the API key?',
    regenerateKeyText: (keys: number) =>
      keys > 1
        ? `All ${keys} keys stop working at once, wherever they are used. One new key takes their place.`
        : 'The current key stops working at once, wherever it is used.',
    newKey: 'New API key',
    clientSecret: 'Client secret',
    clientSecretLead:
      'Together with the client_id it authenticates your server when it exchanges codes and refreshes tokens. Keep it there.',
    regenerateClientTitle: 'Regenerate the client secret?',
    regenerateClientText:
      'The current secret stops working at once. Tokens that people granted remain valid.',
    newClientSecret: 'New client secret',
    webhookSecret: 'Webhook secret',
    webhookSecretLead:
      'Signs every event. X-Service-Signature always uses the newest secret alone. During an overlap, webhook-signature (Standard Webhooks, SDK) also has a signature with the old one.',
    overlap: 'The old secret also signs webhook-signature for',
    overlapNone: 'not at all: replace it now',
    overlapHours: (hours: number) => `${hours} h`,
    regenerateWebhookTitle: 'Regenerate the webhook secret?',
    regenerateWebhookText:
      'The new secret signs from the next event on. Receivers that check X-Service-Signature refuse events until they have it; refused events are sent again. During an overlap, receivers that use Standard Webhooks or the SDK accept either secret.',
    newWebhookSecret: 'New webhook secret',
    overlapUntil: (time: string) => `The previous secret also signs webhook-signature until ${time}.`,
    endOverlap: 'End the overlap now',
    endOverlapText: 'Receivers that still know only the old secret will refuse the events.',
    overlapEnded: 'Only the newest secret signs from now on',
    shownOnce: 'This is shown only once. Store it where only your program can read it.',
    done: 'I have saved it',
    leaveTitle: 'Leave without the secret?',
    leaveText: 'It is not shown again. If you have not saved it, you have to create a new one.',
  },
  {
    title: 'Zugangsdaten',
    lead: 'Geheimnisse werden einmal gezeigt, wenn sie erzeugt werden. Hier stehen nur ihre Fingerabdrücke.',
    apiKeys: 'API-Schlüssel',
    apiKeysLead:
      'Jeder handelt als der Bot. Sende ihn als Authorization: Bearer. Um einen ohne Unterbrechung zu ersetzen, lege einen neuen an, setze ihn ein und widerrufe dann den alten.',
    createKey: 'Schlüssel anlegen',
    editKey: 'Schlüssel bearbeiten',
    keyName: 'Name',
    keyNameHint: 'Wo er benutzt wird, etwa der Name eines Servers.',
    keyChanged: 'API-Schlüssel geändert',
    keyRevoked: 'API-Schlüssel widerrufen',
    noKeys: 'Kein Schlüssel vorhanden: Der Bot kann die API nicht aufrufen.',
    revoke: 'Widerrufen',
    revokeTitle: (name) => `Den Schlüssel „${name}“ widerrufen?`,
    revokeText: 'Er wird sofort ungültig. Die anderen gelten weiter.',
    revokeLastText:
      'Er ist der einzige: Der Bot kann die API erst wieder aufrufen, wenn du einen neuen anlegst.',
    fingerprint: 'SHA-256-Fingerabdruck',
    created: 'Angelegt',
    lastUsed: 'Zuletzt benutzt',
    never: 'nie',
    scopes: 'Rechte',
    regenerate: 'Neu erzeugen',
    regenerateKeyTitle: 'Den API-Schlüssel neu erzeugen?',
    regenerateKeyText: (keys) =>
      keys > 1
        ? `Alle ${keys} Schlüssel werden sofort ungültig. Ein neuer tritt an ihre Stelle.`
        : 'Der aktuelle Schlüssel wird sofort ungültig.',
    newKey: 'Neuer API-Schlüssel',
    clientSecret: 'Client-Geheimnis',
    clientSecretLead:
      'Mit der client_id weist es deinen Server aus, wenn er Codes eintauscht und Token erneuert. Lass es dort.',
    regenerateClientTitle: 'Das Client-Geheimnis neu erzeugen?',
    regenerateClientText:
      'Das aktuelle wird sofort ungültig. Token, die Menschen erteilt haben, bleiben gültig.',
    newClientSecret: 'Neues Client-Geheimnis',
    webhookSecret: 'Webhook-Geheimnis',
    webhookSecretLead:
      'Signiert jedes Ereignis. X-Service-Signature entsteht immer nur mit dem neuesten Geheimnis. In einer Übergangszeit enthält webhook-signature (Standard Webhooks, SDK) auch eine Signatur mit dem alten.',
    overlap: 'Das alte signiert webhook-signature noch',
    overlapNone: 'gar nicht: sofort ersetzen',
    overlapHours: (hours) => `${hours} Std.`,
    regenerateWebhookTitle: 'Das Webhook-Geheimnis neu erzeugen?',
    regenerateWebhookText:
      'Vom nächsten Ereignis an signiert das neue. Empfänger, die X-Service-Signature prüfen, lehnen Ereignisse ab, bis sie es haben; abgelehnte werden noch einmal gesendet. In einer Übergangszeit nehmen Empfänger mit Standard Webhooks oder dem SDK beide an.',
    newWebhookSecret: 'Neues Webhook-Geheimnis',
    overlapUntil: (time) => `Das vorige Geheimnis signiert webhook-signature noch bis ${time}.`,
    endOverlap: 'Übergang jetzt beenden',
    endOverlapText: 'Empfänger, die nur das alte kennen, lehnen die Ereignisse dann ab.',
    overlapEnded: 'Nur das neueste Geheimnis signiert noch',
    shownOnce: 'Wird nur dieses eine Mal gezeigt. Bewahre es dort auf, wo nur dein Programm es lesen kann.',
    done: 'Ich habe es aufbewahrt',
    leaveTitle: 'Die Seite ohne das Geheimnis verlassen?',
    leaveText: 'Es wird nicht noch einmal gezeigt. Hast du es nicht aufbewahrt, musst du ein neues erzeugen.',
  },
);
