import { defineTexts } from '../../ui/texts.ts';

export const viewerTexts = defineTexts(
  {
    photo: 'Photo',
    pictures: 'Pictures of the conversation',
    previous: 'Previous picture',
    next: 'Next picture',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    download: 'Download',
    close: 'Close',
    position: '{index} of {total}',
  },
  {
    photo: 'Foto',
    pictures: 'Bilder der Unterhaltung',
    previous: 'Voriges Bild',
    next: 'Nächstes Bild',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    download: 'Herunterladen',
    close: 'Schließen',
    position: '{index} von {total}',
  },
);
