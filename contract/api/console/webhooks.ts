import { type Static, Type } from 'typebox';
import type { Chapter } from '../../endpoints.ts';
import {
  AddAlertContact,
  AddedAlertContact,
  Alert,
  AlertContact,
  ContactTest,
  Mute,
  MuteState,
} from '../../webhooks/alerts.ts';
import {
  CheckSignature,
  EndpointAudit,
  EventFilter,
  EventPage,
  EventPayload,
  EventSearch,
  LoggedEvent,
  RecoverEvents,
  Recovery,
  ShownEvent,
  SignatureVerdict,
  SimulatedEvent,
  SimulateEvent,
} from '../../webhooks.ts';

/** The events of an application's webhook, alerts about it, and tools for its developers. */
export const WEBHOOKS = {
  'GET /applications/:appId/alert-contacts': { reply: Type.Array(AlertContact), message: 'alert contacts' },
  'POST /applications/:appId/alert-contacts': {
    body: AddAlertContact,
    reply: AddedAlertContact,
    message: 'alert contact added',
    status: 201,
  },
  'DELETE /applications/:appId/alert-contacts/:contactId': {
    reply: Type.Object({ removed: Type.Literal(true) }),
    message: 'alert contact removed',
  },
  'POST /applications/:appId/alert-contacts/:contactId/test': {
    reply: ContactTest,
    message: ({ isSent }: Static<typeof ContactTest>) => (isSent ? 'test sent' : 'test not sent'),
  },
  'POST /applications/:appId/alert-contacts/:contactId/confirmation': {
    reply: ContactTest,
    message: ({ isSent }: Static<typeof ContactTest>) => (isSent ? 'mail sent' : 'mail not sent'),
  },
  'PUT /applications/:appId/alert-contacts/:contactId/mute': {
    body: Mute,
    reply: AlertContact,
    message: 'alert contact muted',
  },
  'DELETE /applications/:appId/alert-contacts/:contactId/mute': {
    reply: AlertContact,
    message: 'alert contact is told again',
  },
  'GET /applications/:appId/alerts/mute': { reply: MuteState, message: 'whether alerts are muted' },
  'PUT /applications/:appId/alerts/mute': { body: Mute, reply: MuteState, message: 'alerts muted' },
  'DELETE /applications/:appId/alerts/mute': { reply: MuteState, message: 'alerts are sent again' },
  'GET /applications/:appId/alerts': { reply: Type.Array(Alert), message: 'alerts, newest first' },
  'GET /applications/:appId/events': {
    query: EventFilter,
    reply: Type.Array(LoggedEvent),
    message: 'the last 100 events, the newest first',
  },
  'GET /applications/:appId/events/search': {
    query: EventSearch,
    reply: EventPage,
    message: 'events, the newest first',
  },
  'GET /applications/:appId/events/:eventId': { reply: ShownEvent, message: 'event' },
  'GET /applications/:appId/events/:eventId/payload': {
    reply: EventPayload,
    message: ({ isMasked }: Static<typeof EventPayload>) =>
      isMasked ? 'payload, what people wrote masked' : 'payload',
  },
  'POST /applications/:appId/events/:eventId/replay': {
    reply: ShownEvent,
    message: 'the event is sent again',
  },
  'POST /applications/:appId/events/recover': {
    body: RecoverEvents,
    reply: Recovery,
    message: 'what failed is sent again',
  },
  'GET /applications/:appId/live': { isRaw: true },
  'POST /applications/:appId/webhook/ping': {
    reply: ShownEvent,
    message: ({ state }: Static<typeof ShownEvent>) =>
      state === 'delivered' ? 'ping delivered' : 'ping failed',
  },
  'POST /applications/:appId/webhook/simulate': {
    body: SimulateEvent,
    reply: SimulatedEvent,
    message: 'event simulated',
    status: 201,
  },
  'POST /applications/:appId/webhook/check-signature': {
    body: CheckSignature,
    reply: SignatureVerdict,
    message: ({ isValid }: Static<typeof SignatureVerdict>) =>
      isValid ? 'the signature is valid' : 'the signature is not valid',
  },
  'POST /applications/:appId/webhook/audit': {
    reply: EndpointAudit,
    message: ({ isPassed }: Static<typeof EndpointAudit>) =>
      isPassed ? 'the receiver passed' : 'the receiver has faults',
  },
} as const satisfies Chapter<'developer'>;
