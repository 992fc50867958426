import type { EndReason } from '#contract/oauth.ts';
import type { GrantedScope } from '#contract/scopes.ts';
import { defineTexts } from '../../ui/texts.ts';

export const oauthTexts = defineTexts(
  {
    title: 'OAuth',
    lead: 'People sign in to your application with their account on this server and let it act for them.',
    redirectUris: 'Redirect URIs',
    redirectUrisLead:
      'After consent the browser is sent to one of these; it has to match byte for byte. Use https://, or for development http://localhost with any port. Fragments and user names are not allowed.',
    redirectUri: 'Redirect URI',
    noRedirectUris: 'None yet. Without one, nobody can sign in.',
    added: 'Redirect URI added',
    removed: 'Redirect URI removed',
    removeUri: (uri: string) => `Remove ${uri}`,
    builder: 'Authorize URL',
    builderLead: 'Open it in the person’s browser, with a fresh random state each time.',
    scopes: 'Scopes',
    state: 'state',
    stateHint: 'Returned unchanged. Compare it with the value you stored.',
    challenge: 'code_challenge (PKCE, S256)',
    challengeHint: 'Optional. If you send it, the exchange needs the code_verifier.',
    url: 'URL',
    preview: 'What people are asked',
    previewNone: 'Choose at least one scope to see what people are asked.',
    tryIt: 'Open the consent page',
    exchange: 'Exchange the code on your server',
    grants: 'Grants',
    grantsLead: 'Consents of recent weeks, without names. For those that ended, you see why.',
    noGrants: 'No grants yet',
    noGrantsText: 'When somebody consents, the grant appears here with its scopes.',
    granted: 'Granted',
    refreshed: 'Last refreshed',
    state_: 'Status',
    holds: 'active',
    ended: 'ended',
  },
  {
    title: 'OAuth',
    lead: 'Menschen melden sich mit ihrem Konto auf diesem Server bei deiner Anwendung an und lassen sie für sich handeln.',
    redirectUris: 'Redirect-URIs',
    redirectUrisLead:
      'Nach der Einwilligung wird der Browser zu einer dieser Adressen weitergeleitet; sie muss Byte für Byte übereinstimmen. Verwende https://, für die Entwicklung auch http://localhost mit beliebigem Port. Fragmente und Benutzernamen sind nicht erlaubt.',
    redirectUri: 'Redirect-URI',
    noRedirectUris: 'Noch keine. Ohne Redirect-URI kann sich niemand anmelden.',
    added: 'Redirect-URI hinzugefügt',
    removed: 'Redirect-URI entfernt',
    removeUri: (uri) => `${uri} entfernen`,
    builder: 'Authorize-Adresse',
    builderLead: 'Öffne sie im Browser der Person, jedes Mal mit neuem, zufälligem state.',
    scopes: 'Rechte',
    state: 'state',
    stateHint: 'Kommt unverändert zurück. Vergleiche ihn mit dem gespeicherten Wert.',
    challenge: 'code_challenge (PKCE, S256)',
    challengeHint: 'Optional. Wenn du sie sendest, braucht der Eintausch den code_verifier.',
    url: 'Adresse',
    preview: 'Was die Leute gefragt werden',
    previewNone: 'Wähle mindestens ein Recht, um zu sehen, was die Leute gefragt werden.',
    tryIt: 'Einwilligungsseite öffnen',
    exchange: 'Den Code auf deinem Server eintauschen',
    grants: 'Erteilte Rechte',
    grantsLead: 'Einwilligungen der letzten Wochen, ohne Namen. Bei beendeten steht der Grund.',
    noGrants: 'Noch hat niemand eingewilligt',
    noGrantsText: 'Sobald jemand einwilligt, erscheint die Einwilligung hier mit ihren Rechten.',
    granted: 'Erteilt',
    refreshed: 'Zuletzt erneuert',
    state_: 'Status',
    holds: 'aktiv',
    ended: 'beendet',
  },
);

const consentPage = {
  ask: 'Let',
  signInTo: 'Sign in to',
  actForYou: 'act for you?',
  itCan: 'If you approve, it can:',
  goesOn: 'Whether you approve or deny, your browser will go to',
  noHost: 'the host of your redirect URI',
  deny: 'Deny',
  approve: 'Approve',
};

/** The consent page is always in English, and so is its preview. */
export const consentPageTexts = defineTexts(consentPage, consentPage);

/** Descriptions of the scopes, as on the consent page. */
export const scopeTexts = defineTexts<Record<GrantedScope, string>>(
  {
    openid: 'Sign in (OpenID Connect)',
    email: 'Confirmed e-mail address',
    profile: 'Name and picture',
    'stories:read': 'Read your stories',
    'stories:write': 'Publish and delete your stories',
    'polls:write': 'Create polls, vote in them and close them',
    'groups:manage': 'Create and manage groups',
    'messages:send': 'Send messages as the bot',
  },
  {
    openid: 'Anmelden (OpenID Connect)',
    email: 'Bestätigte E-Mail-Adresse',
    profile: 'Name und Bild',
    'stories:read': 'Deine Storys lesen',
    'stories:write': 'Deine Storys veröffentlichen und löschen',
    'polls:write': 'Umfragen anlegen, darin abstimmen und sie schließen',
    'groups:manage': 'Gruppen anlegen und verwalten',
    'messages:send': 'Als Bot Nachrichten senden',
  },
);

export const endTexts = defineTexts<Record<EndReason, string>>(
  {
    'revoked-by-person': 'revoked by the person',
    'revoked-by-client': 'revoked by your application (/oauth/revoke)',
    'refresh-token-reused': 'a refresh token was used twice and may be stolen: ask for consent again',
    'code-reused': 'the authorization code was used twice and may be stolen',
    'code-expired': 'the code was not exchanged within 5 minutes',
    'refresh-token-expired': 'not refreshed for 30 days',
    'application-deleted': 'the application was deleted',
    'account-deleted': 'the person deleted the account',
  },
  {
    'revoked-by-person': 'von der Person widerrufen',
    'revoked-by-client': 'von deiner Anwendung widerrufen (/oauth/revoke)',
    'refresh-token-reused':
      'ein Refresh-Token wurde zweimal benutzt: möglicherweise gestohlen, bitte neu um Einwilligung',
    'code-reused': 'der Autorisierungscode wurde zweimal benutzt: möglicherweise gestohlen',
    'code-expired': 'der Code wurde nicht binnen 5 Minuten eingetauscht',
    'refresh-token-expired': '30 Tage lang nicht erneuert',
    'application-deleted': 'die Anwendung wurde gelöscht',
    'account-deleted': 'die Person hat ihr Konto gelöscht',
  },
);
