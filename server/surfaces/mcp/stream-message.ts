import { StreamMessage } from '#contract/mcp.ts';
import { invalidArgument } from '#platform/errors.ts';
import type { Arguments, ToolCall } from './tool-call.ts';
import { type Tool, toInputSchema } from './tools.ts';

/** Shows a message while it is written, then sends it: what `showDraft` and the two sends do, as one tool. */
export const STREAM_MESSAGE: Tool = {
  name: 'stream_message',
  title: 'Show a message while it is written, then send it',
  description:
    'Shows people what the bot is about to say, such as the step that it is at or the answer so far, on open pages of the ' +
    'conversation. Each call replaces what was shown. Only the call with `isFinal: true` sends a message, which takes its place and is ' +
    'the only one stored and notified. What is shown disappears after 30 seconds without another call; with `keepIfLost` it is sent then.',
  inputSchema: toInputSchema(StreamMessage),
  annotations: { readOnlyHint: false, destructiveHint: false },
  access: { actors: ['bot'], scope: 'messages:send' },
  async run({ check, operate }: ToolCall, given: Arguments) {
    const { to, groupId, content, isFinal, replyToMsgId, quickReplies, keepIfLost } = check(
      StreamMessage,
      given,
    );
    if (to != null && groupId != null) throw invalidArgument('to', 'not-with-group');
    if (!isFinal) {
      const conversationId = groupId ?? to;
      if (conversationId == null) throw invalidArgument('to', 'required');
      return operate('PUT /v1/messages/draft', { conversationId, content, replyToMsgId, keepIfLost });
    }
    const message = { type: 'text', content, replyToMsgId, quickReplies };
    return groupId == null
      ? operate('POST /v1/messages', { to, ...message })
      : operate('POST /v1/messages/group', { groupId, ...message });
  },
};
