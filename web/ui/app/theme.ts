import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The blue of the server-rendered pages (surfaces/pages/style.ts), from light to dark. */
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
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  colors: { parley },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace',
  headings: { fontWeight: '650', textWrap: 'balance' },
  // To screen readers, a `header` would be a second banner of the page.
  components: {
    // It would be a child of the menu that is not a menu item.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
  },
});

const RED_BUTTONS = {
  '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
  '--mantine-color-red-filled-hover': '#b02525',
};

/**
 * Dimmed text, and text on red buttons, gets a contrast of at least 4.5 : 1 (WCAG 2.2, 1.4.3), which Mantine's defaults
 * do not have.
 */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#525d6b',
    '--mantine-color-placeholder': '#6b7683',
    '--mantine-color-error': '#c0271f',
    '--mantine-color-teal-text': '#087f5b',
    '--mantine-color-teal-light-color': '#05583f',
    '--mantine-color-yellow-light-color': '#6b3f00',
    '--mantine-color-red-light-color': '#9c1c1c',
    ...RED_BUTTONS,
  },
  dark: {
    '--mantine-color-dimmed': '#a9b4c3',
    '--mantine-color-placeholder': '#909baa',
    '--mantine-color-error': '#ff9a90',
    '--mantine-color-anchor': '#8ba8ef',
    ...RED_BUTTONS,
  },
});
