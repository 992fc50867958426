import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** The blue of the server's own pages (surfaces/pages/style.ts), from light to dark. */
const parley: MantineColorsTuple = [
  '#edf2ff',
  '#dbe4fb',
  '#b4c7f5',
  '#8ba8ef',
  '#678dea',
  '#4f7ce7',
  '#3767d8',
  '#1f55c8',
  '#17429d',
  '#0f3077',
];

export const theme = createTheme({
  primaryColor: 'parley',
  primaryShade: { light: 7, dark: 5 },
  autoContrast: true,
  colors: { parley },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace',
  headings: { fontWeight: '650', textWrap: 'balance' },
});
