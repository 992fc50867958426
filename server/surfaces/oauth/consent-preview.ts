import { APPLICATION } from '#contract/api/console.ts';
import { OAUTH_SCOPES } from '#contract/scopes.ts';
import { type Applications, applicationNotFound } from '#features/applications/index.ts';
import { ALL_SCOPES, readScopes } from '#features/oauth/index.ts';
import { displayName } from '#platform/display-name.ts';
import { ApiError, invalidArgument } from '#platform/errors.ts';
import { success } from '#platform/http/envelope.ts';
import { serve } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { describeScopes, questionOf } from '../pages/consent-page.ts';
import { textsFor } from '../pages/language.ts';

/** The texts that people would read on the consent page. */
export function consentPreviewRoute({ applications, clock }: Platform & { applications: Applications }) {
  return serve(APPLICATION, {
    // Raw, because the language comes from the browser's headers.
    'GET /applications/:appId/consent-preview': async ({ own, query: { scope, redirectUri }, request }) => {
      const t = textsFor(request);
      const application = await applications.findOwn(own);
      if (!application) throw applicationNotFound();
      const hasOpenId = await applications.hasExtension(own.appId, 'openid');
      const scopes =
        scope === undefined ? [...OAUTH_SCOPES] : readScopes(scope, hasOpenId ? ALL_SCOPES : OAUTH_SCOPES);
      if (!Array.isArray(scopes)) throw new ApiError(400, 'invalid-argument', scopes);
      const redirect = redirectUri === undefined ? undefined : URL.parse(redirectUri);
      if (redirect === null) throw invalidArgument('redirectUri', 'whole-url');
      return success(clock.now(), 'what people are asked', {
        question: t(questionOf(scopes), {
          name: displayName(application.name) ?? t('pages.consent.namelessApplication'),
        }),
        ifYouApprove: t('pages.consent.ifYouApprove'),
        scopes: describeScopes(t, scopes),
        ...(redirect && { goesOnTo: t('pages.consent.goesOnTo', { host: redirect.host }) }),
        deny: t('pages.consent.deny'),
        approve: t('pages.consent.approve'),
      });
    },
  });
}
