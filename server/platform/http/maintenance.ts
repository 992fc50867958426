import type { FastifyInstance } from 'fastify';
import { inMaintenance } from '../errors.ts';
import type { Platform } from '../platform.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route also works during maintenance, although its method is that of a write. */
    duringMaintenance?: true;
  }
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Refuses all writes during maintenance, before anything is looked up, counted or read. */
export function refuseWritesInMaintenance(
  app: Pick<FastifyInstance, 'addHook'>,
  { notices, clock }: Pick<Platform, 'notices' | 'clock'>,
): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { maintenance } = notices;
    const isRefused =
      maintenance && !READS.has(request.method) && !request.is404 && !request.route.config.duringMaintenance;
    done(isRefused ? inMaintenance(maintenance, clock.now()) : undefined);
  });
}
