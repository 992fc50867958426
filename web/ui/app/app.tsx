import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  MantineProvider,
  mergeThemeOverrides,
} from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { type ReactNode, StrictMode, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, type RouteObject, RouterProvider } from 'react-router';
import { ApiError } from '../api.ts';
import { ConfirmIdentity } from '../session/confirm-identity.tsx';
import type { sessionQuery } from '../session/session.ts';
import { loadTexts, type TextFiles, useTexts } from '../texts.ts';
import { keepFocus } from './keep-focus.ts';
import './app.css';

/** The blue of the server-rendered pages (surfaces/pages/style.ts), from light to dark: both look alike. */
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

const theme = createTheme({
  primaryColor: 'parley',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  colors: { parley },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace',
  headings: {
    fontWeight: '650',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.35' },
      h2: { fontSize: '1.125rem', lineHeight: '1.45' },
    },
  },
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Badge: { defaultProps: { variant: 'light', tt: 'none' } },
    // Optional fields say that they are optional.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    // It would be a child of the menu that is not a menu item.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { centered: true } },
    // To screen readers, a `header` would be a second banner of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    NumberInput: { defaultProps: { allowDecimal: false } },
    Select: { defaultProps: { allowDeselect: false } },
    Textarea: { defaultProps: { autosize: true } },
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
const cssVariablesResolver: CSSVariablesResolver = () => ({
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
    '--mantine-color-text': '#e6e6e6',
    '--mantine-color-dimmed': '#a9b4c3',
    '--mantine-color-placeholder': '#909baa',
    '--mantine-color-error': '#ff9a90',
    '--mantine-color-anchor': '#8ba8ef',
    ...RED_BUTTONS,
  },
});

const MOST_RETRIES = 3;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refused request would be refused again; one without a response may succeed soon.
      retry: (failures, error) => failures < MOST_RETRIES && error instanceof ApiError && error.isTemporary,
    },
    // Without a connection, a change is refused at once: it would otherwise wait unseen, and be lost with the page.
    mutations: { networkMode: 'always' },
  },
});

/**
 * Renders one of our apps: its routes, inside the providers that all of them need.
 *
 * @param first what every screen asks for first
 */
export async function startApp(
  routes: RouteObject[],
  { basename, texts, first }: { basename: string; texts: TextFiles; first?: typeof sessionQuery },
): Promise<void> {
  // It learns only of changes: a page opened offline must start out paused.
  onlineManager.setOnline(navigator.onLine);
  // On a slow network, what the screen needs is loaded together: its code, which the router asks for, its texts and data.
  const router = createBrowserRouter(routes, { basename });
  if (first) void queries.prefetchQuery(first);
  await loadTexts(texts);
  leaveKeysToInputMethods();
  keepFocus();
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no #root');
  createRoot(root).render(
    <StrictMode>
      <Themed>
        <QueryClientProvider client={queries}>
          <Notifications position="bottom-center" />
          <ConfirmIdentity />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </Themed>
    </StrictMode>,
  );
}

/** The code of every key that an input method has taken. */
const TAKEN = 229;

/** The Enter that completes a word in Japanese sends no message. Safari ends the composition before this key: only its code tells. */
function leaveKeysToInputMethods(): void {
  const leave = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === TAKEN) event.stopImmediatePropagation();
  };
  window.addEventListener('keydown', leave, { capture: true });
}

/** The nonce of this page's styles in the content security policy. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// Mantine's modals lock scrolling with an inline style, which takes its nonce from here.
setNonce(nonce);

function Themed({ children }: { children: ReactNode }) {
  const t = useTexts();
  const close = t('ui.common.close');
  const show = t('ui.common.showCharacters');
  const named = useMemo(() => {
    const withCloseButton = { defaultProps: { closeButtonProps: { 'aria-label': close } } };
    return mergeThemeOverrides(theme, {
      components: {
        Modal: withCloseButton,
        Notification: withCloseButton,
        PasswordInput: {
          defaultProps: {
            visibilityToggleButtonProps: { 'aria-label': show },
            visibilityToggleFocusable: true,
          },
        },
      },
    });
  }, [close, show]);
  return (
    <MantineProvider
      theme={named}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      {children}
    </MantineProvider>
  );
}
