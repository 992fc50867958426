import { Button, Text } from '@mantine/core';
import { useLocation, useNavigate } from 'react-router';
import { runs } from '../../ui/parts/change.ts';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { useChange, useOwnQuery } from '../application/queries.ts';

/** The target of an invitation link. */
export function Component() {
  const t = useTexts();
  const navigate = useNavigate();
  const token = useLocation().hash.slice(1);
  const join = useChange('POST /invitations/accept', {
    onSuccess: ({ appId }) => void navigate(`/applications/${appId}`, { replace: true }),
  });
  return (
    <Screen title={t('console.team.joinTitle')} size="sm" isCentred>
      <QueryView query={useOwnQuery('POST /invitations/show', { body: { token } })}>
        {({ name, owner, role }) => (
          <>
            <Text>{t('console.team.joinText', { owner, name })}</Text>
            <Text>{t('console.team.joinRole', { role: t(`console.role.${role}`) })}</Text>
            <Button w="fit-content" {...runs(join, { body: { token } })}>
              {t('console.team.join')}
            </Button>
          </>
        )}
      </QueryView>
    </Screen>
  );
}
