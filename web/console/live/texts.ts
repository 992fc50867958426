import { defineTexts } from '../../ui/texts.ts';

export const liveTexts = defineTexts(
  { follow: 'Follow live', open: 'live', connecting: 'connecting…', lost: 'reconnecting…' },
  { follow: 'Live folgen', open: 'live', connecting: 'verbinde …', lost: 'verbinde erneut …' },
);
