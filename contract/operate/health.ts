import { type Static, Type } from 'typebox';
import { AppId } from '../applications.ts';
import { Finding } from '../webhooks/finding.ts';

/** The health of the server. */
export const ServerHealth = Type.Object({
  at: Type.Integer({ description: 'When the checks were made.' }),
  findings: Type.Array(
    Type.Object({
      check: Type.String(),
      state: Type.Enum(['ok', 'warning', 'fault'] as const),
      what: Finding,
      remedy: Type.Optional(Finding),
    }),
    { description: 'The findings of `parley doctor`.' },
  ),
  queue: Type.Object({
    due: Type.Integer(),
    waiting: Type.Integer({ description: 'Events that wait for a retry.' }),
    parked: Type.Integer({ description: 'Events of applications that are disabled or suspended.' }),
    slowest: Type.Array(
      Type.Object({
        appId: AppId,
        name: Type.String(),
        events: Type.Integer(),
        oldestDueAt: Type.Integer(),
        breakerOpenedAt: Type.Optional(
          Type.Integer({ description: 'Omitted unless its circuit breaker is open.' }),
        ),
      }),
    ),
  }),
  processes: Type.Array(
    Type.Object({
      host: Type.String(),
      pid: Type.Integer(),
      version: Type.String(),
      roles: Type.String(),
      startedAt: Type.Integer(),
      seenAt: Type.Integer(),
    }),
  ),
  errors: Type.Array(
    Type.Object({
      at: Type.Integer(),
      requestId: Type.String({ description: 'The id by which to find the fault in the log.' }),
      method: Type.String(),
      route: Type.String(),
      status: Type.Integer(),
      host: Type.String(),
    }),
  ),
  settings: Type.Array(
    Type.Object({
      name: Type.String(),
      about: Type.String(),
      value: Type.Optional(Type.String({ description: 'Without secrets; omitted if it is not set.' })),
      whenNotSet: Type.String(),
    }),
  ),
});

/** The start page of the operators' console. */
export const ServerOverview = Type.Object({
  people: Type.Integer(),
  applications: Type.Integer(),
  openReports: Type.Integer(),
  oldestReportAt: Type.Optional(Type.Integer()),
  requests: Type.Integer({ description: 'Of applications, in the last 24 hours.' }),
  deliveries: Type.Integer({ description: 'Attempts to deliver a webhook in the last 24 hours.' }),
  failedDeliveries: Type.Integer(),
  dueEvents: Type.Integer({ description: 'Events that are to be sent now.' }),
});

export type ServerOverview = Static<typeof ServerOverview>;

export type ServerHealth = Static<typeof ServerHealth>;
