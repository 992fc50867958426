import type { EndReason } from '#contract/oauth.ts';
import type { Scope } from '#contract/scopes.ts';
import { defineTexts } from '../../ui/texts.ts';

export const oauthTexts = defineTexts(
  {
    title: 'OAuth',
    lead: 'People sign in to your application with their account here and let it act for them.',
    redirectUris: 'Redirect URIs',
    redirectUrisLead:
      'After consent the browser goes to one of these, compared byte for byte. https:// is mandatory; http://localhost with any port serves development. No fragment, no user name in it.',
    redirectUri: 'Redirect URI',
    noRedirectUris: 'None yet: without one nobody can sign in.',
    added: 'Redirect URI added',
    removed: 'Redirect URI removed',
    removeUri: (uri: string) => `Remove ${uri}`,
    builder: 'Authorize URL',
    builderLead: 'Open it in the person’s browser, with a fresh random state each time.',
    scopes: 'Scopes',
    state: 'state',
    stateHint: 'Comes back unchanged; compare it with what you stored.',
    challenge: 'code_challenge (PKCE, S256)',
    challengeHint: 'Optional; once sent, the exchange must prove the verifier.',
    url: 'URL',
    preview: 'What people are asked',
    previewNone: 'Choose at least one scope to see what people are asked.',
    tryIt: 'Open the consent page',
    exchange: 'Exchange the code on your server',
    grants: 'Grants',
    grantsLead: 'Consents of the last weeks, without whose they are; those that ended say why.',
    noGrants: 'Nobody has granted anything yet',
    noGrantsText: 'When somebody consents, it appears here with its scopes.',
    granted: 'Granted',
    refreshed: 'Last refreshed',
    state_: 'State',
    holds: 'holds',
    ended: 'ended',
  },
  {
    title: 'OAuth',
    lead: 'Menschen melden sich mit ihrem Konto von hier bei deiner Anwendung an und lassen sie für sich handeln.',
    redirectUris: 'Redirect-URIs',
    redirectUrisLead:
      'Nach der Einwilligung geht der Browser zu einer von diesen, Byte für Byte verglichen. https:// ist Pflicht; für die Entwicklung geht http://localhost mit beliebigem Port. Kein Fragment, kein Benutzername darin.',
    redirectUri: 'Redirect-URI',
    noRedirectUris: 'Noch keine: ohne sie kann sich niemand anmelden.',
    added: 'Redirect-URI hinzugefügt',
    removed: 'Redirect-URI entfernt',
    removeUri: (uri) => `${uri} entfernen`,
    builder: 'Authorize-Adresse',
    builderLead: 'Öffne sie im Browser der Person, jedes Mal mit frischem, zufälligem state.',
    scopes: 'Rechte',
    state: 'state',
    stateHint: 'Kommt unverändert zurück; vergleiche ihn mit dem, was du dir gemerkt hast.',
    challenge: 'code_challenge (PKCE, S256)',
    challengeHint: 'Freiwillig; einmal gesendet, muss der Eintausch den Verifier beweisen.',
    url: 'Adresse',
    preview: 'Was die Leute gefragt werden',
    previewNone: 'Wähle mindestens ein Recht, um zu sehen, was die Leute gefragt werden.',
    tryIt: 'Einwilligungsseite öffnen',
    exchange: 'Den Code auf deinem Server eintauschen',
    grants: 'Erteilte Rechte',
    grantsLead: 'Einwilligungen der letzten Wochen, ohne wessen; beendete sagen, warum.',
    noGrants: 'Noch hat niemand eingewilligt',
    noGrantsText: 'Sobald jemand einwilligt, steht es hier mit seinen Rechten.',
    granted: 'Erteilt',
    refreshed: 'Zuletzt erneuert',
    state_: 'Zustand',
    holds: 'gilt',
    ended: 'beendet',
  },
);

const consentPage = {
  ask: 'Let',
  actForYou: 'act for you?',
  itCan: 'If you approve, it can:',
  goesOn: 'Whether you approve or deny, your browser goes on to',
};

/** The consent page speaks English to everybody, and a preview shows what is seen. */
export const consentPageTexts = defineTexts(consentPage, consentPage);

/** What each scope lets an application do, in the words of the consent page. */
export const scopeTexts = defineTexts<Record<Scope, string>>(
  {
    profile: 'Name and picture',
    'stories:read': 'Read the own stories',
    'stories:write': 'Publish and delete stories',
    'polls:write': 'Create polls, vote, close',
    'groups:manage': 'Create and administer groups',
    'messages:send': 'Send messages as the bot',
  },
  {
    profile: 'Name und Bild',
    'stories:read': 'Eigene Storys lesen',
    'stories:write': 'Storys veröffentlichen und löschen',
    'polls:write': 'Umfragen anlegen, abstimmen, schließen',
    'groups:manage': 'Gruppen anlegen und verwalten',
    'messages:send': 'Als Bot Nachrichten senden',
  },
);

export const endTexts = defineTexts<Record<EndReason, string>>(
  {
    'revoked-by-person': 'the person ended it',
    'revoked-by-client': 'your application revoked it (/oauth/revoke)',
    'refresh-token-reused': 'a refresh token was used twice: possible theft, ask for consent again',
    'code-reused': 'the authorization code was used twice: possible theft',
    'code-expired': 'the code was not exchanged within 5 minutes',
    'refresh-token-expired': 'not refreshed for 30 days',
    'application-deleted': 'the application was deleted',
    'account-deleted': 'the person deleted the account',
  },
  {
    'revoked-by-person': 'die Person hat es beendet',
    'revoked-by-client': 'deine Anwendung hat es widerrufen (/oauth/revoke)',
    'refresh-token-reused': 'ein Refresh-Token kam zweimal: vielleicht Diebstahl, bitte neu um Einwilligung',
    'code-reused': 'der Code kam zweimal: vielleicht Diebstahl',
    'code-expired': 'der Code wurde nicht binnen 5 Minuten eingetauscht',
    'refresh-token-expired': '30 Tage lang nicht erneuert',
    'application-deleted': 'die Anwendung wurde gelöscht',
    'account-deleted': 'die Person hat ihr Konto gelöscht',
  },
);
