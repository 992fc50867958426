import { useState } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { Form, Submit } from '../../ui/parts/form.tsx';
import { useTexts } from '../../ui/texts.ts';
import { type Known, useKnown } from '../conversations/use-conversation.ts';
import { Actions } from '../parts/page.tsx';
import { CopyInvitation } from './copy-invitation.tsx';
import { Refusal } from './create-group.tsx';
import { PeoplePicker } from './people-picker.tsx';
import { useGroupChange } from './queries.ts';

/** Adds people and bots to a group: all that were chosen, or none. */
export function AddMembers({
  groupId,
  present,
  onEnd,
}: {
  groupId: string;
  present: readonly string[];
  onEnd: () => void;
}) {
  const t = useTexts();
  const [chosen, setChosen] = useState<Known[]>([]);
  const isLeftOut = (userId: string) => present.includes(userId);
  const { known, hasMore } = useKnown().data ?? { known: [], hasMore: false };
  const isAnybodyLeft = known.some(({ peer }) => !isLeftOut(peer.userId));
  const add = useGroupChange('POST /groups/members', {
    done: t('chat.group.added'),
    onSuccess: onEnd,
    // The error is shown beside the choice, where it can be corrected.
    onError: () => {},
  });
  return (
    <Form
      onSubmit={() => add.mutate({ body: { groupId, memberIds: chosen.map(({ peer }) => peer.userId) } })}
    >
      <PeoplePicker
        chosen={chosen}
        onChange={setChosen}
        isLeftOut={isLeftOut}
        empty={<CopyInvitation groupId={groupId} />}
      />
      {add.isError && <Refusal error={add.error} />}
      {(isAnybodyLeft || hasMore) && (
        <Actions>
          <Submit of={add} disabled={chosen.length === 0 || chosen.length > LIMITS.membersPerRequest}>
            {t('ui.common.add')}
          </Submit>
        </Actions>
      )}
    </Form>
  );
}
