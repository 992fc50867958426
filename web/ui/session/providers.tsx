import { Button } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import type { SignInProviders } from '#contract/accounts/providers.ts';
import { callAuth } from '../api.ts';
import { useAction } from '../parts/change.ts';
import { authQuery } from '../parts/query.ts';
import { useTexts } from '../texts.ts';

export const providersQuery = { ...authQuery(['sign-in-providers'], 'GET /providers'), staleTime: 60_000 };

/** The page in the address bar, to which a provider sends the person back. */
const here = () => location.pathname + location.search;

/** One button for each provider: it leads there, to sign in or to confirm who one is. */
export function ProviderButtons({
  providers,
  purpose,
  returnTo,
  variant = 'default',
}: {
  providers: SignInProviders['providers'];
  purpose: 'sign-in' | 'confirm';
  returnTo?: string | undefined;
  variant?: 'default' | 'filled';
}) {
  const t = useTexts();
  const go = useAction(
    (providerId: string) =>
      callAuth(
        purpose === 'sign-in' ? 'POST /providers/:providerId' : 'POST /confirm/providers/:providerId',
        { params: { providerId }, body: { returnTo: returnTo ?? here() } },
      ),
    { onSuccess: ({ url }) => location.assign(url) },
  );
  return providers.map(({ providerId, name }) => (
    <Button
      key={providerId}
      variant={variant}
      leftSection={<IconBuilding size={18} aria-hidden="true" />}
      loading={go.variables === providerId && (go.isPending || go.isSuccess)}
      onClick={() => go.mutate(providerId)}
    >
      {t(purpose === 'sign-in' ? 'ui.session.byProvider' : 'ui.session.confirmByProvider', { name })}
    </Button>
  ));
}
