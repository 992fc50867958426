import { SETTINGS } from '#contract/german/settings.ts';
import { defineTexts } from '../../ui/texts.ts';

/** The purpose of each setting, by name; in English the server says it. */
export const settingTexts = defineTexts<Record<string, string>>({}, SETTINGS);

/** The default of each setting, in words. */
export const fallbackTexts = defineTexts<Record<string, string>>(
  {},
  {
    embedded: 'eingebaut',
    'not set': 'nicht gesetzt',
    none: 'keine',
    'for ever': 'für immer',
    closed: 'geschlossen',
    '`pretty` on a terminal, otherwise `json`': 'pretty im Terminal, sonst json',
  },
);
