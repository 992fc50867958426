import { fork } from 'node:child_process';
import { expectErrors } from '#testing/logged-errors.ts';
import { createSdkScene, type SdkScene } from './sdk-scene.ts';

type Question =
  | { consentAt: string; isApproved?: boolean }
  | { breaks: 'stories' }
  | { mends: 'stories' }
  | { finished: string };

/** How to run the script. */
export interface EveryCall {
  /** The executable. */
  node: string;
  /** The specifier with which the script imports the package. */
  sdk: string;
  /** Given the server's address, puts something between it and the package, and returns the new address. */
  proxy?: (serverUrl: string) => Promise<string>;
}

/** Runs the script with a Node, changing the server's state on request; returns that Node's version. */
export async function runEveryCall({ node, sdk, proxy = async (url) => url }: EveryCall): Promise<string> {
  await using scene = await createSdkScene();
  const baseUrl = await proxy(scene.baseUrl);
  const child = fork('tests/sdk/every-call.mjs', {
    execPath: node,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.once('exit', (code) => reject(new Error(`the script ended with ${code}`)));
  child.on('message', (question: Question) => {
    if ('finished' in question) resolve(question.finished);
    else answer(scene, question).then((said) => child.send(said), reject);
  });
  child.send({ ...(await settingsFor(scene)), sdk, baseUrl });
  return await promise;
}

async function answer(scene: SdkScene, question: Exclude<Question, { finished: string }>): Promise<string> {
  if ('consentAt' in question) return scene.consentAt(question.consentAt, question.isApproved);
  if ('breaks' in question) {
    expectErrors(/stories.* does not exist/);
    await scene.world.db`alter table stories rename to stories_gone`;
  } else await scene.world.db`alter table stories_gone rename to stories`;
  return 'done';
}

async function settingsFor({ world, bot, ada, clientId, clientSecret, redirectUri }: SdkScene) {
  const writer = async (name: string) => {
    const person = await world.person(name);
    await person.writes(bot, 'Hello');
    return person.accountId;
  };
  const slow = await world.bot({ requestsPerMinute: 1 });
  const botless = await (await world.person('Owner')).creates('Botless');
  return {
    now: world.clock.now(),
    bots: {
      helper: { key: bot.key, accountId: bot.accountId },
      spare: { accountId: (await world.bot()).accountId },
      slow: { key: slow.key },
      botless: { key: botless.key },
    },
    people: {
      ada: ada.accountId,
      ben: await writer('Ben'),
      stranger: (await world.person('Stranger')).accountId,
      crowd: [await writer('Cid'), await writer('Dan'), await writer('Eve')],
    },
    oauth: { clientId, clientSecret, redirectUri },
  };
}
