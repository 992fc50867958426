import { Badge } from '@mantine/core';
import { IconFlag, IconShieldCog } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { MenuItem } from '../parts/menu-item.tsx';
import { authQuery } from '../parts/query.ts';
import { useTexts } from '../texts.ts';

/** Open work of an operator; undefined for everybody else. */
export function useOperating(): { openReports: number } | undefined {
  return useQuery({
    ...authQuery(['operating'], 'GET /operating'),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => state.data?.operator && 60_000,
  }).data?.operator;
}

/** The way to the operators' console in a menu, for operators only. */
export function OperatingItems() {
  const t = useTexts();
  const operating = useOperating();
  if (!operating) return;
  const { openReports } = operating;
  return (
    <>
      <MenuItem icon={IconShieldCog} label={t('ui.session.operate')} href="/operate" />
      {openReports > 0 && (
        <MenuItem
          icon={IconFlag}
          label={t('ui.session.openReports')}
          rightSection={
            <Badge variant="filled" color="red">
              {openReports}
            </Badge>
          }
          href="/operate/reports/next"
        />
      )}
    </>
  );
}
