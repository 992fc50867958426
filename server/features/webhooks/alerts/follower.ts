import type { ApplicationFollower } from '#features/applications/follower.ts';
import { deleteContacts } from './contact-queries.ts';

/** Of a deleted application nobody is told, and nobody's address is kept. */
export const alertFollower: ApplicationFollower = {
  deleted: (tx, { appId }) => deleteContacts(tx, appId),
};
