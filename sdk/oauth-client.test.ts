import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OAuthClient } from './oauth-client.ts';

test('what came back instead of a code is told in the words of the service; only a refusal is one', async () => {
  const redirectUri = 'https://app.example.com/callback';
  const oauth = new OAuthClient({
    baseUrl: 'https://parley.example.com',
    clientId: 'app_1',
    clientSecret: 'xcs_1',
    redirectUri,
  });
  const { state, codeVerifier } = await oauth.authorize({ scopes: ['profile'] });
  const returning = (error: Record<string, string>) =>
    oauth.exchange(
      `${redirectUri}?${new URLSearchParams({ ...error, state })}`,
      { state, codeVerifier },
      'ada',
    );
  await assert.rejects(returning({ error: 'access_denied' }), {
    code: 'permission-denied',
    message: 'the person denied access',
  });
  await assert.rejects(
    returning({ error: 'consent_required', error_description: 'the person has not granted all of this' }),
    { oauthError: 'consent_required', message: 'the person has not granted all of this' },
  );
});
