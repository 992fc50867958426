import { Button } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTexts } from '../../ui/texts.ts';

const ReportDialog = lazy(() => import('./dialog.tsx'));

/** Reports the peer of a conversation, or the whole group. */
export function ReportButton({ conversationId, userId }: { conversationId: string; userId?: string }) {
  const t = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="subtle" color="red" leftSection={<IconFlag size={16} />} onClick={() => setOpen(true)}>
        {t('chat.report.report')}
      </Button>
      <Suspense>
        {isOpen && (
          <ReportDialog conversationId={conversationId} userId={userId} onClose={() => setOpen(false)} />
        )}
      </Suspense>
    </>
  );
}
