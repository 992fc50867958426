import { Screen } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { AuthorizeUrl } from './authorize-url.tsx';
import { Grants } from './grants.tsx';
import { OpenId } from './openid.tsx';
import { RedirectUris } from './redirect-uris.tsx';
import { oauthTexts } from './texts.ts';

/** Redirect URIs, the authorization URL, and the grants. */
export function Component() {
  const t = useTexts(oauthTexts);
  return (
    <Screen title={t.title} lead={t.lead} size="lg">
      <RedirectUris />
      <AuthorizeUrl />
      <OpenId />
      <Grants />
    </Screen>
  );
}
