import { defineTexts } from '../../ui/texts.ts';

export const liveTexts = defineTexts(
  { follow: 'Follow live', open: 'live', connecting: 'connecting…', lost: 'connecting again…' },
  { follow: 'Live folgen', open: 'live', connecting: 'verbinde …', lost: 'verbinde neu …' },
);
