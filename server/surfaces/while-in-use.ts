import type { Extension } from '#contract/applications.ts';
import type { Applications } from '#features/applications/index.ts';
import type { App } from '#platform/http/app.ts';
import type { AnswerUnknown } from './web.ts';

export interface ExtensionDeps {
  applications: Pick<Applications, 'isExtensionInUse'>;
  answerUnknown: AnswerUnknown;
}

/**
 * The routes of an extension, for a scope of their own and before its other hooks: as long as no application has it on, they
 * are answered as addresses that do not exist.
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
