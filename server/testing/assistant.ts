import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { startReceiver } from './receiver.ts';

type Provider = Required<
  Pick<OAuthClientProvider, 'clientMetadataUrl' | 'discoveryState' | 'saveDiscoveryState'>
> &
  OAuthClientProvider;

const CALLBACK = 'http://127.0.0.1:33418/callback';

/** The server of an assistant's vendor, which publishes the client metadata document. */
export async function publishAssistant(change: (document: Record<string, unknown>) => void = () => {}) {
  const receiver = await startReceiver({
    host: 'localhost',
    respond: ({ path }) => {
      if (path !== '/client.json') return { status: 404 };
      const document = {
        client_id: new URL('/client.json', receiver.url).href,
        client_name: 'Ada’s assistant',
        redirect_uris: ['http://127.0.0.1/callback', 'https://assistant.example/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
      };
      change(document);
      const headers = { 'content-type': 'application/json', 'cache-control': 'max-age=300' };
      return { headers, body: JSON.stringify(document) };
    },
  });
  return {
    url: new URL('/client.json', receiver.url).href,
    reads: () => receiver.requests.length,
    /** The settings that let a world reach it. */
    config: { webhookTrustedHosts: [receiver.trustedHost] },
    options: { extraAuthorities: [receiver.ca] },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

/** The assistant's store for the MCP SDK's client; records the address to which the client sends the person. */
export class AssistantStore implements Provider {
  readonly clientMetadataUrl: string;
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = { client_name: 'Ada’s assistant', redirect_uris: [CALLBACK] };
  /** The address to which the person was sent. */
  sentTo: URL | undefined;
  #kept = new Map<string, unknown>();

  constructor(clientMetadataUrl: string) {
    this.clientMetadataUrl = clientMetadataUrl;
  }

  #keep(name: string) {
    return (value: unknown): void => {
      this.#kept.set(name, value);
    };
  }

  #find<T>(name: string) {
    return (): T => this.#kept.get(name) as T;
  }

  state = () => 'of the assistant';
  clientInformation = this.#find<Awaited<ReturnType<OAuthClientProvider['clientInformation']>>>('client');
  saveClientInformation = this.#keep('client');
  tokens = this.#find<Awaited<ReturnType<OAuthClientProvider['tokens']>>>('tokens');
  saveTokens = this.#keep('tokens');
  invalidateCredentials = (): void => {
    this.#kept.delete('tokens');
  };
  codeVerifier = this.#find<string>('verifier');
  saveCodeVerifier = this.#keep('verifier');
  discoveryState = this.#find<Awaited<ReturnType<Provider['discoveryState']>>>('discovery');
  saveDiscoveryState = this.#keep('discovery');
  redirectToAuthorization = (url: URL): void => {
    this.sentTo = url;
  };
}
