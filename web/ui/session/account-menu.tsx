import { Menu, UnstyledButton } from '@mantine/core';
import { IconLogout, IconMessageCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Avatar } from '../parts/avatar.tsx';
import { MenuItem } from '../parts/menu-item.tsx';
import { useTexts } from '../texts.ts';
import { useAccount, useSignOut } from './session.ts';

/** The account menu of the consoles: to the chat, the console's own items, and sign-out. */
export function AccountMenu({ children }: { children: ReactNode }) {
  const t = useTexts();
  const account = useAccount();
  const leave = useSignOut();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton>
          <Avatar name={account.name} seed={account.accountId} size={34} />
          <span className="visually-hidden">{t('ui.session.account')}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown maw="calc(100vw - 1rem)">
        <Menu.Label style={{ overflowWrap: 'anywhere' }}>{account.email}</Menu.Label>
        <MenuItem icon={IconMessageCircle} label={t('ui.session.chat')} href="/" />
        {children}
        <MenuItem icon={IconLogout} label={t('ui.session.signOut')} onClick={() => leave.mutate(undefined)} />
      </Menu.Dropdown>
    </Menu>
  );
}
