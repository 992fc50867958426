import { Alert, Anchor, Checkbox, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dimmed } from '../parts/dimmed.tsx';
import { authQuery } from '../parts/query.ts';
import { QueryView } from '../parts/query-view.tsx';
import { useTexts } from '../texts.ts';

export const rulesQuery = { ...authQuery(['sign-up-rules'], 'GET /sign-up'), staleTime: 60_000 };

/** From the link of an invitation, `/?invitation=…`. */
export const invitationInAddress = () => new URLSearchParams(location.search).get('invitation');

/** States who may sign up before anything is entered; its children are the form, for those who may. */
export function SignUpGate({ children, button }: { children: ReactNode; button: ReactNode }) {
  const t = useTexts();
  const invitation = invitationInAddress();
  return (
    <QueryView query={useQuery(rulesQuery)}>
      {({ policy, domains = [], termsUrl }) => {
        if (policy === 'closed') return <Alert color="gray">{t('ui.session.signUpClosed')}</Alert>;
        if (policy === 'provider') return <Alert color="gray">{t('ui.session.signUpByProvider')}</Alert>;
        if (policy === 'invitation' && !invitation)
          return <Alert color="gray">{t('ui.session.signUpByInvitation')}</Alert>;
        return (
          <Stack>
            {policy === 'domains' && (
              <Dimmed>{t('ui.session.signUpByDomain', { domains: domains.join(', ') })}</Dimmed>
            )}
            {invitation && <input type="hidden" name="invitation" value={invitation} />}
            {children}
            {termsUrl && (
              <Checkbox
                name="acceptedTerms"
                value={termsUrl}
                required
                label={
                  <>
                    {t('ui.session.acceptTerms')}{' '}
                    <Anchor href={termsUrl} target="_blank" rel="noopener" size="sm" underline="always">
                      {t('ui.session.readTerms')}
                    </Anchor>
                  </>
                }
              />
            )}
            {button}
          </Stack>
        );
      }}
    </QueryView>
  );
}
