import { type Static, Type } from 'typebox';
import { CardHour } from '../applications/monitoring.ts';
import { AppId } from '../applications.ts';
import { id, UserId } from '../ids.ts';

/** An application as operators see one, without its secrets or what it sent. */
export const OperatedApplication = Type.Object({
  appId: AppId,
  name: Type.String(),
  state: Type.Enum(['active', 'disabled', 'suspended'] as const),
  requestsPerMinute: Type.Integer(),
  createdAt: Type.Integer(),
  owner: Type.Optional(
    Type.Object(
      { accountId: UserId, name: Type.String() },
      { description: 'Omitted for a published client.' },
    ),
  ),
  clientUrl: Type.Optional(
    Type.String({
      description: 'Where its metadata document is published; omitted if it is registered here.',
    }),
  ),
  isEndpointFailing: Type.Boolean({
    description: 'Whether its circuit breaker is open, so that deliveries wait.',
  }),
  lastDay: Type.Object(
    {
      requests: Type.Integer(),
      errors: Type.Integer(),
      deliveries: Type.Integer(),
      failedDeliveries: Type.Integer(),
    },
    { description: 'Counts of the last 24 hours.' },
  ),
});

export type OperatedApplication = Static<typeof OperatedApplication>;

/** `data` of an application's endpoint: its queue and its circuit breaker. */
export const OperatedEndpoint = Type.Object({
  host: Type.Optional(
    Type.String({
      description:
        'Only the host of its webhook URL, which may contain a secret; omitted if there is no URL.',
    }),
  ),
  breakerOpenedAt: Type.Optional(
    Type.Integer({ description: 'Since when it has not answered; omitted if it answers.' }),
  ),
  waiting: Type.Integer({ description: 'Events waiting to be sent; counted up to 100,000.' }),
  oldestDueAt: Type.Optional(Type.Integer()),
  hours: Type.Array(CardHour, { description: 'The last 24 hours, the oldest first.' }),
});

export type OperatedEndpoint = Static<typeof OperatedEndpoint>;

/** `data` of the endpoints that do not answer, the longest outage first: 50 at most. */
export const FailingEndpoints = Type.Object({
  endpoints: Type.Array(Type.Object({ appId: AppId, name: Type.String(), breakerOpenedAt: Type.Integer() })),
});

export type FailingEndpoints = Static<typeof FailingEndpoints>;

export const GrantQuery = Type.Object({ before: Type.Optional(id()) });

/** `data` of a search for applications: 50 at most. */
export const OperatedApplications = Type.Object({ applications: Type.Array(OperatedApplication) });

/** Body of a quota: requests a minute to each endpoint, for all API keys together, and as many again for all access tokens. */
export const ChangeQuota = Type.Object({
  requestsPerMinute: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
});
