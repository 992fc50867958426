import { Screen } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { AuthorizeUrl } from './authorize-url.tsx';
import { Grants } from './grants.tsx';
import { OpenId } from './openid.tsx';
import { RedirectUris } from './redirect-uris.tsx';

/** Redirect URIs, the authorization URL, and the grants. */
export function Component() {
  const t = useTexts();
  return (
    <Screen title={t('console.oauth.title')} lead={t('console.oauth.lead')} size="lg">
      <RedirectUris />
      <AuthorizeUrl />
      <OpenId />
      <Grants />
    </Screen>
  );
}
