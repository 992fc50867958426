import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Accounts, Browser } from '#features/accounts/index.ts';
import { clientAddress } from '#platform/http/client-address.ts';

/** The browser behind a request, for routes that begin or end its session. */
export function browserOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { cookie, isSignedIn = false }: Pick<Accounts, 'cookie'> & { isSignedIn?: boolean },
): Browser {
  const { id: requestId, headers, protocol, host } = request;
  return {
    address: clientAddress(request),
    userAgent: headers['user-agent'] ?? '',
    site: { protocol, host },
    credential: cookie.read(headers.cookie),
    isSignedIn,
    requestId,
    deviceToken: (accountId) => cookie.readDevice(headers.cookie, accountId),
    keep: (signedIn) => void reply.header('set-cookie', cookie.enter(signedIn)),
    forget: () => void reply.header('set-cookie', cookie.clear()),
  };
}
