import { resetPassword } from '#features/accounts/passwords.ts';
import { suspendApplication, unsuspendApplication } from '#features/applications/life-cycle.ts';
import { changeQuota } from '#features/applications/settings.ts';
import { resumeDeliveries } from '#features/webhooks/service.ts';
import { Signal } from '#platform/signal.ts';
import { type Command, UsageError } from './command.ts';

const PASSWORD_BYTES = 15;
const HIGHEST_QUOTA = 1_000_000_000;

/** The platform team's part: what no console does. */
export const adminCommands: readonly Command[] = [
  {
    name: 'admin suspend',
    parameters: ['<appId>'],
    about: 'refuse an application, its key and its tokens, until it is unsuspended',
    async run({ openDatabase }, [appId = '']) {
      await suspendApplication(await openDatabase(), appId);
      return `${appId} is suspended`;
    },
  },
  {
    name: 'admin unsuspend',
    parameters: ['<appId>'],
    about: 'give an application back the state from before its suspension',
    async run({ openDatabase, clock }, [appId = '']) {
      const db = await openDatabase();
      const state = await unsuspendApplication(db, appId);
      // The server's worker finds them at its next look.
      await resumeDeliveries({ db, clock, dueDeliveries: new Signal() }, [appId]);
      return `${appId} is ${state} again`;
    },
  },
  {
    name: 'admin quota',
    parameters: ['<appId>', '<requestsPerMinute>'],
    about: 'change how many requests each credential may make per minute and endpoint',
    async run({ openDatabase }, [appId = '', text = '']) {
      const requestsPerMinute = Number(text);
      if (!/^\d+$/.test(text) || requestsPerMinute < 1 || requestsPerMinute > HIGHEST_QUOTA) {
        throw new UsageError(`requestsPerMinute must be a whole number from 1 to ${HIGHEST_QUOTA}`);
      }
      await changeQuota(await openDatabase(), appId, requestsPerMinute);
      return `${appId} may make ${requestsPerMinute} requests per minute with each credential, to each endpoint`;
    },
  },
  {
    name: 'admin reset-password',
    parameters: ['<email>'],
    about: 'give a person a new password, shown this once, and end every session',
    async run(deps, [email = '']) {
      const password = deps.random.bytes(PASSWORD_BYTES).toString('base64url');
      await resetPassword({ ...deps, db: await deps.openDatabase() }, email, password);
      return `the new password of ${email} is ${password}`;
    },
  },
];
