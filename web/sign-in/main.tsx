import { useEffect } from 'react';
import type { RouteObject } from 'react-router';
import { safeReturnTo, TERMS_PATH } from '#contract/return-to.ts';
import type { Parts } from '#contract/texts.ts';
import { startApp } from '../ui/app/app.tsx';
import { RouteFault } from '../ui/parts/faults.tsx';
import { RequireSession } from '../ui/session/require-session.tsx';
import { SignIn } from '../ui/session/sign-in.tsx';

const query = new URLSearchParams(location.search);
const visit = {
  returnTo: safeReturnTo(query.get('returnTo') ?? undefined),
  email: query.get('email') ?? undefined,
  connect: query.get('connect') ?? undefined,
};

/** The person has accepted the terms. */
function GoOn() {
  useEffect(() => location.replace(visit.returnTo), []);
  return null;
}

const terms = (
  <RequireSession>
    <GoOn />
  </RequireSession>
);

/** The paths must also be served: surfaces/sign-in.ts, and surfaces/web.ts for the reset of a password. */
const routes: RouteObject[] = [
  { path: '/sign-in', element: <SignIn {...visit} />, ErrorBoundary: RouteFault },
  { path: '/sign-up', element: <SignIn {...visit} first="sign-up" />, ErrorBoundary: RouteFault },
  { path: TERMS_PATH, element: terms, ErrorBoundary: RouteFault },
  { path: '/reset', element: <SignIn first="reset" />, ErrorBoundary: RouteFault },
];

await startApp(routes, {
  basename: '/',
  texts: import.meta.glob<Parts>('../../locales/*.json', { query: '?parts=ui', import: 'default' }),
});
