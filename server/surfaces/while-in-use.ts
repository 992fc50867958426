import type { Extension } from '#contract/applications.ts';
import type { Applications } from '#features/applications/index.ts';
import type { App } from '#platform/http/app.ts';
import type { AnswerUnknown } from './web.ts';

export interface ExtensionDeps {
  applications: Pick<Applications, 'isExtensionInUse'>;
  answerUnknown: AnswerUnknown;
}

/**
 * Makes the routes of an extension answer as unknown addresses while no application has it on. Call it in a scope of its
 * own, before other hooks are added.
 */
export function whileInUse(
  app: App,
  { applications, answerUnknown }: ExtensionDeps,
  extension: Extension,
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (await applications.isExtensionInUse(extension)) return;
    answerUnknown(request, reply);
    return reply;
  });
}
