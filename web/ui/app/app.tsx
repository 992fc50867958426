import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app.css';
import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { type ReactNode, StrictMode, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, type RouteObject, RouterProvider } from 'react-router';
import { ApiError } from '../api.ts';
import { commonTexts } from '../common-texts.ts';
import { ConfirmIdentity } from '../session/confirm-identity.tsx';
import { useTexts } from '../texts.ts';
import { cssVariablesResolver, theme } from './theme.ts';

const MOST_RETRIES = 3;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refused request would be refused again; one without a response may succeed soon.
      retry: (failures, error) => failures < MOST_RETRIES && error instanceof ApiError && error.isTemporary,
    },
  },
});

/** Renders one of our apps: its routes, inside the providers that all of them need. */
export function startApp(routes: RouteObject[], { basename }: { basename: string }): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no #root');
  // It learns only of changes: a page opened offline must start out paused.
  onlineManager.setOnline(navigator.onLine);
  createRoot(root).render(
    <StrictMode>
      <Themed>
        <QueryClientProvider client={queries}>
          <Notifications position="top-right" />
          <ConfirmIdentity />
          <RouterProvider router={createBrowserRouter(routes, { basename })} />
        </QueryClientProvider>
      </Themed>
    </StrictMode>,
  );
}

/** The nonce of this page's styles in the content security policy. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// Mantine's modals lock scrolling with an inline style, which takes its nonce from here.
setNonce(nonce);

function Themed({ children }: { children: ReactNode }) {
  const { close } = useTexts(commonTexts);
  const named = useMemo(() => {
    const withCloseButton = { defaultProps: { closeButtonProps: { 'aria-label': close } } };
    return mergeThemeOverrides(theme, {
      components: { Modal: withCloseButton, Drawer: withCloseButton, Notification: withCloseButton },
    });
  }, [close]);
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
