import { type ComponentProps, lazy, Suspense } from 'react';
import { Waiting } from '../parts/waiting.tsx';

const SignInPage = lazy(() => import('./sign-in-page.tsx'));

/** The page of signing in, of which people who are signed in load nothing. */
export function SignIn(props: ComponentProps<typeof SignInPage>) {
  return (
    <Suspense fallback={<Waiting />}>
      <SignInPage {...props} />
    </Suspense>
  );
}
