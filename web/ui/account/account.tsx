import { Screen } from '../parts/screen.tsx';
import { useTexts } from '../texts.ts';
import { Deletion, Export } from './data.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Profile } from './profile.tsx';
import { Sessions } from './sessions.tsx';
import { TwoFactorSignIn } from './two-factor.tsx';

/** The person's own account: profile, sign-in, sessions, data, deletion. */
export function Component() {
  const t = useTexts();
  return (
    <Screen title={t('ui.account.title')} size="sm" isCentred>
      <AccountSections />
    </Screen>
  );
}

/** The content of the screen, for an app with a frame of its own. */
export function AccountSections() {
  return (
    <>
      <Profile />
      <Password />
      <Passkeys />
      <TwoFactorSignIn />
      <Sessions />
      <Export />
      <Deletion />
    </>
  );
}
