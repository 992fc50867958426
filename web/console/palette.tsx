import { Kbd, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect } from 'react';
import { Dialog } from '../ui/parts/dialog.tsx';
import { useTexts } from '../ui/texts.ts';

// Its combobox would otherwise be in what all pages load first.
const loadSearch = () => import('./palette-search.tsx');
const Search = lazy(loadSearch);

/** Goes to a screen, an application or a page of the documentation by a few letters of its name: Ctrl-K. */
export function Palette() {
  const t = useTexts();
  const [isOpen, { open, close }] = useDisclosure(false);
  useHotkeys([['mod+K', open]], []);
  // Before it is opened: people type at once.
  useEffect(() => void loadSearch(), []);
  return (
    <>
      <UnstyledButton onClick={open} aria-keyshortcuts="Control+K">
        <IconSearch size={18} style={{ verticalAlign: 'middle' }} />
        <span className="visually-hidden">{t('console.palette.title')}</span>
        <Kbd visibleFrom="sm" ml={6}>
          {/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : t('console.palette.shortcut')}
        </Kbd>
      </UnstyledButton>
      <Dialog
        opened={isOpen}
        onClose={close}
        title={t('console.palette.title')}
        yOffset="12vh"
        size="lg"
        transitionProps={{ duration: 0 }}
        padding="sm"
      >
        <Suspense>
          <Search onChosen={close} />
        </Suspense>
      </Dialog>
    </>
  );
}
