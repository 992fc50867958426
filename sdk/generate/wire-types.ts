import { execFileSync } from 'node:child_process';
import type { TSchema } from 'typebox';
import { ERROR_CODES } from '../../contract/errors.ts';
import { FeedPage } from '../../contract/event-feed.ts';
import { EventPoll, GroupEventMessage, PrivateEventMessage } from '../../contract/events.ts';
import {
  AddMembers,
  ChangeDetails,
  ChangeRole,
  CreatedGroup,
  CreateGroup,
  GroupMember,
  GroupMembers,
  ListMembers,
  RemoveMember,
} from '../../contract/groups.ts';
import { Me } from '../../contract/me.ts';
import { bodyWithContent, Location, SentMessage } from '../../contract/messages.ts';
import { TokenReply, UserInfo } from '../../contract/oauth.ts';
import { ClosePoll, CreatedPoll, CreatePoll, Poll, PollReply, VotePoll } from '../../contract/polls.ts';
import { OAUTH_SCOPES } from '../../contract/scopes.ts';
import { AddedToStory, AddToStory, Story } from '../../contract/stories.ts';

/** What a schema is as plain data; TypeBox schemas are JSON Schema. */
interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  description?: string;
}

/** Every type that the package shows, in the order of the file. A schema inside another is named where it has a name. */
const NAMED: readonly (readonly [name: string, about: string, schema: Schema])[] = [
  named('ErrorCode', 'Every error code of the service (contract §7).', { enum: ERROR_CODES } as never),
  named('OAuthScope', 'What a person may grant to an application (contract §5.3).', {
    enum: OAUTH_SCOPES,
  } as never),
  named('Location', 'A place on earth, in degrees (contract §2).', Location),
  named(
    'MessageContent',
    'What a message says, one variant for each of the 8 types (contract §2).',
    bodyWithContent({}),
  ),
  named('SentMessage', 'The message that was created.', SentMessage),
  named('Me', 'Who a credential acts as.', Me),
  named('CreateGroup', 'A new group or broadcast list; the creator is added automatically.', CreateGroup),
  named('CreatedGroup', 'The group that was created.', CreatedGroup),
  named('AddMembers', 'Whom to add to a group: 1 to 100.', AddMembers),
  named('RemoveMember', 'Whom to remove from a group; with the own id, the caller leaves.', RemoveMember),
  named('ChangeRole', 'Whom to promote or demote.', ChangeRole),
  named(
    'ChangeDetails',
    'What to change of a group. `description: ""` and `photoUrl: null` clear the field.',
    ChangeDetails,
  ),
  named('ListMembers', 'Which page of which group.', ListMembers),
  named('GroupMember', 'A member of a group.', GroupMember),
  named('GroupMembers', 'A page of members, in the order of their ids.', GroupMembers),
  named('CreatePoll', 'A new poll, in exactly one of `groupId` and `receiverId`.', CreatePoll),
  named('VotePoll', 'A vote; at most one of `groupId` and `receiverId`.', VotePoll),
  named('ClosePoll', 'Which poll to close; at most one of `groupId` and `receiverId`.', ClosePoll),
  named('Poll', 'A poll as the caller sees it. Times are epoch milliseconds.', Poll),
  named('CreatedPoll', 'The poll that was created.', CreatedPoll),
  named('PollReply', 'The poll after the call.', PollReply),
  named('StoryElement', 'An element to publish, one variant for each type (contract §4).', AddToStory),
  named('AddedToStory', 'The story that the element joined or began.', AddedToStory),
  named('Story', 'A story with its elements in the order of their creation.', Story),
  named('EventPoll', 'A poll as an event tells of it, without votes.', EventPoll),
  named(
    'MessageData',
    '`data` of `message.received`: somebody wrote to the bot (contract §6).',
    PrivateEventMessage,
  ),
  named(
    'GroupMessageData',
    '`data` of `group_message.received`: somebody wrote in a group of the bot.',
    GroupEventMessage,
  ),
  named('EventPage', 'A page of the event feed, oldest first.', FeedPage),
  named('TokenReply', 'The answer of `POST /oauth/token`.', TokenReply),
  named('UserInfo', 'Who consented.', UserInfo),
];

function named(name: string, about: string, schema: TSchema): readonly [string, string, Schema] {
  return [name, about, schema as Schema];
}

/** The text of `sdk/wire.ts`: the contract's schemas as plain types, so that the package needs no TypeBox. */
export function wireTypes(): string {
  const types = NAMED.map(([name, about, schema]) => {
    const comment = `/** ${about} */\n`;
    return schema.type === 'object' && !schema.oneOf
      ? `${comment}export interface ${name} ${toObject(schema)}`
      : `${comment}export type ${name} = ${toType(schema, name)};`;
  });
  const text = `// Made from contract/ by \`npm run build:sdk\`; a test compares them.\n\n${types.join('\n\n')}\n`;
  const biome = ['format', '--stdin-file-path=sdk/wire.ts'];
  return execFileSync('node_modules/.bin/biome', biome, { input: text, encoding: 'utf8' });
}

function toType(schema: Schema, own?: string): string {
  const known = NAMED.find(([name, , other]) => other === schema && name !== own);
  if (known) return known[0];
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return variants.map((variant) => toType(variant)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(schema.type)) {
    return schema.type
      .map((type) => (type === 'null' ? 'null | undefined' : toType({ ...schema, type })))
      .join(' | ');
  }
  switch (schema.type) {
    case 'integer':
      return 'number';
    case 'array':
      return `Array<${toType(schema.items as Schema)}>`;
    case 'object':
      return toObject(schema);
    default:
      return schema.type as string;
  }
}

/** Fields that a variant refuses (their only value is null) are left out: the compiler refuses them then. */
function toObject({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties)
    .filter(([, schema]) => schema.type !== 'null')
    .map(([name, schema]) => {
      const comment = schema.description ? `/** ${schema.description} */\n` : '';
      return `${comment}${name}${required.includes(name) ? '' : '?'}: ${toType(schema)};`;
    });
  return `{\n${fields.join('\n')}\n}`;
}
