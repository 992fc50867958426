import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { operateQuery } from '../parts/queries.ts';

/** Leads to the oldest open report, or to the empty list. */
export function Component() {
  return (
    <QueryView query={useQuery({ ...operateQuery('GET /reports', { query: {} }), gcTime: 0 })}>
      {({ reports: [oldest] }) => <Navigate to={`/reports/${oldest?.reportId ?? ''}`} replace />}
    </QueryView>
  );
}
