import { SETTINGS } from './settings.ts';

/** A setting as operators may see it: never a password, a key or a token. */
export interface ShownSetting {
  name: string;
  about: string;
  /** Undefined if it is not set: `whenNotSet` applies. */
  value?: string;
  whenNotSet: string;
}

const HIDDEN = '••••••••';

/** All settings in force. */
export function showSettings(environment: Record<string, string | undefined>): ShownSetting[] {
  return Object.entries(SETTINGS).map(([name, { about, fallback, shownFallback, hides }]) => ({
    name,
    about,
    ...(environment[name] && { value: show(environment[name], hides) }),
    whenNotSet: shownFallback ?? String(fallback),
  }));
}

function show(text: string, hides: 'all' | 'credentials' | undefined): string {
  switch (hides) {
    case undefined:
      return text;
    case 'all':
      return HIDDEN;
    case 'credentials':
      // Removes everything up to the last "@", and the parameters: a password may contain any character, and be among them.
      return text.replace(/\/\/.*@/s, '//').replace(/\?.*$/s, '');
    default:
      return hides satisfies never;
  }
}

/** The settings as a Markdown table. */
export function settingsTable(): string {
  const rows = Object.entries(SETTINGS).map(([name, { fallback, shownFallback, about }]) => {
    const shown = shownFallback ?? `\`${String(fallback)}\``;
    return `| \`${name}\` | ${shown} | ${about.replaceAll('|', '\\|')} |`;
  });
  return ['| Setting | When not set | What it does |', '| --- | --- | --- |', ...rows].join('\n');
}
