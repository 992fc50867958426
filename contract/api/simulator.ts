import {
  SimulatorMessage,
  SimulatorPoll,
  SimulatorVote,
  Simulator as State,
  Timeline,
  TimelineQuery,
} from '../applications/simulator.ts';
import { ChatMessage, MessagePage, ReadMessages } from '../chat.ts';
import { endpoints } from '../endpoints.ts';
import { CreatedPoll, UpdatedPoll } from '../polls.ts';

/** The console's simulator: an owner acts as a test person who talks to the owner's bot. */
export const SIMULATOR = endpoints('tester', '/api/console', {
  'GET /applications/:appId/simulator': { reply: State, message: 'simulator' },
  'POST /applications/:appId/simulator/messages': {
    body: SimulatorMessage,
    reply: ChatMessage,
    message: 'message sent',
    creates: 'msg',
  },
  'GET /applications/:appId/simulator/messages': {
    query: ReadMessages,
    reply: MessagePage,
    message: 'messages, newest first',
  },
  'POST /applications/:appId/simulator/polls': {
    body: SimulatorPoll,
    reply: CreatedPoll,
    message: 'poll created',
    creates: 'msg',
  },
  'POST /applications/:appId/simulator/polls/vote': {
    body: SimulatorVote,
    reply: UpdatedPoll,
    message: 'vote counted',
  },
  'POST /applications/:appId/simulator/block': { reply: State, message: 'blocked' },
  'POST /applications/:appId/simulator/unblock': { reply: State, message: 'unblocked' },
  'POST /applications/:appId/simulator/reset': { reply: State, message: 'the conversation starts again' },
  'GET /applications/:appId/simulator/timeline': {
    query: TimelineQuery,
    reply: Timeline,
    message: 'what happened, newest first',
  },
  'GET /applications/:appId/simulator/live': { isRaw: true },
});
