import { privateConversationId } from '#platform/ids.ts';
import { UsageError } from '../../../sdk/cli/kit.ts';
import type { Command } from '../command.ts';
import { makePassword, printable, REASON, readDays, requireReason, toColumns, toTime } from './columns.ts';
import { onPerson, openOperators } from './open.ts';

/** Who may join, and what is kept. */
export const policyCommands: readonly Command[] = [
  {
    name: 'admin accounts add',
    parameters: ['<email>', '<name>'],
    about: 'create an account, whatever SIGN_UPS says; its password is shown once',
    async run(deps, { args: [email = '', name = ''] }) {
      if (name.trim() === '') throw new UsageError('the name must not be empty');
      const password = makePassword(deps);
      const { perform } = await openOperators(deps);
      const accountId = await perform('account.added', {}, { email, name, password });
      return { text: `the password of ${email} is ${password}`, data: { accountId, email, password } };
    },
  },
  {
    name: 'admin accounts confirm',
    parameters: ['<email>'],
    about: 'mark the e-mail address of a person as confirmed',
    run: onPerson(async ({ perform }, { accountId, email }) => {
      await perform('person.email-confirmed', { accountId });
      return { text: `${email} is confirmed`, data: { accountId } };
    }),
  },
  {
    name: 'admin invitations',
    about: 'list invitations to sign up',
    async run(deps) {
      const invitations = await (await openOperators(deps)).listSignUpInvitations();
      const rows = invitations.map((one) => [
        one.invitationId,
        `${one.used} of ${one.uses} used`,
        toTime(one.expiresAt),
        printable(one.note),
      ]);
      return { text: toColumns(rows), data: { invitations } };
    },
  },
  {
    name: 'admin invitations add',
    about: 'create a link with which people can sign up; it is shown once',
    options: {
      uses: 'how many people can use it (1)',
      days: 'for how many days it works (7)',
      note: 'whom it is for',
    },
    async run(deps, { options: { uses = '1', days = '7', note = '' } }) {
      if (!/^[1-9]\d{0,5}$/.test(uses))
        throw new UsageError('--uses must be a whole number from 1 to 999999');
      const given = { note, uses: Number(uses), expiresAt: readDays(deps, days) as number };
      const made = await (await openOperators(deps)).perform('invitation.made', {}, given);
      return { text: made.link, data: made };
    },
  },
  {
    name: 'admin invitations revoke',
    parameters: ['<invitationId>'],
    about: 'end an invitation; accounts created with it stay',
    async run(deps, { args: [invitationId = ''] }) {
      await (await openOperators(deps)).perform('invitation.revoked', { invitationId });
      return { text: 'revoked', data: { invitationId } };
    },
  },
  {
    name: 'admin holds',
    about: 'list conversations under a legal hold',
    async run(deps) {
      const holds = await (await openOperators(deps)).listHolds();
      const rows = holds.map((one) => [one.conversationId, toTime(one.heldAt)]);
      return { text: toColumns(rows), data: { holds } };
    },
  },
  {
    name: 'admin holds add',
    parameters: ['<conversation>'],
    about: 'keep everything in a conversation until it is released',
    details: 'A groupId, the id of a private conversation, or the ids of its two people: usr_…,usr_….',
    options: REASON,
    async run(deps, { args: [conversation = ''], options }) {
      const reason = requireReason(options);
      const [one = '', other] = conversation.split(',');
      const conversationId = other === undefined ? one : privateConversationId(one, other);
      await (await openOperators(deps)).perform('conversation.held', {}, { conversationId, reason });
      return { text: `${conversationId} is held`, data: { conversationId } };
    },
  },
  {
    name: 'admin holds release',
    parameters: ['<conversationId>'],
    about: 'end a legal hold; data kept for it is deleted within the hour',
    options: REASON,
    async run(deps, { args: [conversationId = ''], options }) {
      const reason = requireReason(options);
      const { perform } = await openOperators(deps);
      await perform('conversation.released', { conversationId }, { reason });
      return { text: `${conversationId} is released`, data: { conversationId } };
    },
  },
];
