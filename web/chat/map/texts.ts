import { defineTexts } from '../../ui/texts.ts';

export const mapTexts = defineTexts(
  {
    show: 'Show a map',
    agree: 'Show maps',
    consent: (host: string) =>
      `Maps come from ${host}. It learns your IP address, the address of this chat, and which places you look at. You can turn this off in the settings.`,
    map: 'Map: click on the place, or move it with the arrow keys and press Enter to choose the centre',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    setting: (host: string) => `Show maps from ${host}`,
    settingAbout:
      'For places, in this browser. That server learns your IP address and which places you look at.',
  },
  {
    show: 'Karte zeigen',
    agree: 'Karten zeigen',
    consent: (host) =>
      `Die Bilder der Karten kommen von ${host}. Dieser Server erfährt deine IP-Adresse, die Adresse dieses Chats und welche Orte du ansiehst. In den Einstellungen kannst du das widerrufen.`,
    map: 'Karte: Klicke auf den Ort, oder bewege sie mit den Pfeiltasten und drücke Enter für ihre Mitte',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    setting: (host) => `Karten von ${host} zeigen`,
    settingAbout:
      'Für Orte, in diesem Browser. Der Server erfährt deine IP-Adresse und welche Orte du ansiehst.',
  },
);
