import { Service, type ServiceRequest } from '../service.ts';
import type { Access } from './access.ts';

/** Calls the service once, as the bot. @throws ParleyError */
export function callApi(
  { server, key }: Pick<Access, 'server' | 'key'>,
  request: Pick<ServiceRequest, 'method' | 'path' | 'body' | 'signal'>,
): Promise<unknown> {
  const service = new Service({ baseUrl: server, retries: 0 });
  return service.call({ ...request, headers: { authorization: `Bearer ${key}` } });
}
