import { defineTexts } from '../../ui/texts.ts';

export const receiptTexts = defineTexts(
  {
    sent: 'Sent',
    delivered: 'Delivered',
    read: 'Read',
    readBy: (count: number) => `Read by ${count}`,
    readers: 'Read by',
  },
  {
    sent: 'Gesendet',
    delivered: 'Zugestellt',
    read: 'Gelesen',
    readBy: (count) => `Gelesen von ${count}`,
    readers: 'Gelesen von',
  },
);
