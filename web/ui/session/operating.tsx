import { Badge, Menu } from '@mantine/core';
import { IconFlag, IconShieldCog } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { callAuth } from '../api.ts';
import { useTexts } from '../texts.ts';

/** Open work of an operator; undefined for everybody else. */
export function useOperating(): { openReports: number } | undefined {
  return useQuery({
    queryKey: ['operating'],
    queryFn: ({ signal }) => callAuth('GET /operating', { signal }),
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
      <Menu.Item leftSection={<IconShieldCog size={16} />} component="a" href="/operate">
        {t('ui.session.operate')}
      </Menu.Item>
      {openReports > 0 && (
        <Menu.Item
          leftSection={<IconFlag size={16} />}
          rightSection={<Badge color="red">{openReports}</Badge>}
          component="a"
          href="/operate/reports/next"
        >
          {t('ui.session.openReports')}
        </Menu.Item>
      )}
    </>
  );
}
