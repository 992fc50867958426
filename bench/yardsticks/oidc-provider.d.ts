/** The part of an untyped package that the yardstick uses. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  interface Saved {
    save(): Promise<string>;
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    Client: { find(clientId: string): Promise<object> };
    Grant: new (
      properties: object,
    ) => Saved & { addOIDCScope(scope: string): void };
    RefreshToken: new (
      properties: object,
    ) => Saved;
  }
}
