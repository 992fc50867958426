import { SETTINGS } from './settings.ts';

/** The settings as a Markdown table. */
export function settingsTable(): string {
  const rows = Object.entries(SETTINGS).map(([name, { fallback, shownFallback, about }]) => {
    const shown = shownFallback ?? `\`${String(fallback)}\``;
    return `| \`${name}\` | ${shown} | ${about.replaceAll('|', '\\|')} |`;
  });
  return ['| Setting | When not set | What it does |', '| --- | --- | --- |', ...rows].join('\n');
}
