import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, type RouteObject, RouterProvider } from 'react-router';
import { ApiError } from './api.ts';
import { ConfirmIdentity } from './session/confirm-identity.tsx';
import { cssVariablesResolver, theme } from './theme.ts';

const MOST_RETRIES = 3;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What the server refused it refuses again; what it could not answer it may answer soon.
      retry: (failures, error) => failures < MOST_RETRIES && error instanceof ApiError && error.isTemporary,
    },
  },
});

/** Shows an application of ours in the page: its routes, within what every one of them needs. */
export function startApp(routes: RouteObject[], { basename }: { basename: string }): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('the page has no #root');
  const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queries}>
          <Notifications position="top-right" />
          <ConfirmIdentity />
          <RouterProvider router={createBrowserRouter(routes, { basename })} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
