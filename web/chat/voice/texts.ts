import { defineTexts } from '../../ui/texts.ts';

export const voiceTexts = defineTexts(
  {
    send: 'Send the voice message',
    discard: 'Discard the recording',
    recording: 'Recording',
    close: 'Close',
    refused:
      'The browser does not let this page use the microphone. Allow it in the site settings, beside the address, and try again.',
    missing: 'No microphone was found, or another program uses it.',
  },
  {
    send: 'Sprachnachricht senden',
    discard: 'Aufnahme verwerfen',
    recording: 'Aufnahme',
    close: 'Schließen',
    refused:
      'Der Browser lässt diese Seite nicht ans Mikrofon. Erlaube es in den Einstellungen der Website, neben der Adresse, und versuche es noch einmal.',
    missing: 'Es wurde kein Mikrofon gefunden, oder ein anderes Programm benutzt es.',
  },
);
