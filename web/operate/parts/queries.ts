import { callOperate } from '../../ui/api.ts';
import { noticesKey } from '../../ui/notices/queries.ts';
import { changeBy } from '../../ui/parts/change.ts';
import { queriesBy } from '../../ui/parts/query.ts';

/** A change by an endpoint of this console. */
export const useOperateChange = changeBy(callOperate, () => [['operate'], noticesKey]);

export const { query: operateQuery, pages: operatePages } = queriesBy(callOperate, () => ['operate']);

/** The operators' log. */
export const actsQuery = operatePages('GET /acts');
