import type { CDPSession, Page } from 'playwright-core';
import { UNLIMITED } from '../tests/processes.ts';
import { paintHills, uploadFile } from '../tests/web/chat-people.ts';
import { introduce, openChat } from '../tests/web/chat-scene.ts';
import { type Person, startWebScene, type WebScene } from '../tests/web/web-scene.ts';
import { percentile } from './load.ts';

const MESSAGES = 5_000;
const PICTURES = 40;
/** How many messages in a row one sender writes; every fifth run is an album, every fourth message has reactions. */
const [RUN, PICTURES_EVERY, REACTION_EVERY] = [3, 5, 4];
/** A fast swipe: some 30 screens a second. */
const PIXELS_PER_FRAME = 400;
const QUIET_MS = 2_000;
const BARS = { frameMs: 100, heapMegabytes: 60, firstKilobytes: 343, reloadKilobytes: 60 };

/** A thread of 5,000 messages with pictures, albums and reactions, in a real browser: its size, its frames, its heap. */
export async function benchChatPage(): Promise<string[]> {
  await using scene = await startWebScene(UNLIMITED, { isOptimizing: true });
  await using ada = await scene.enter('/settings', { name: 'Ada' });
  const bob = await scene.person('Bob');
  const { conversationId } = await introduce(ada.calls, bob.calls, 'the first');
  await fill(scene, ada, bob);
  const { page } = ada;
  const browser = await page.context().newCDPSession(page);
  await browser.send('Network.enable');
  await page.goto('about:blank');
  await browser.send('Network.clearBrowserCache');

  const first = await transferred(page, browser, () => openChat(page, conversationId));
  const again = await transferred(page, browser, () => page.reload());
  const frames = await scrollToTop(page);
  await browser.send('HeapProfiler.collectGarbage');
  const { usedSize } = await browser.send('Runtime.getHeapUsage');
  const at = (share: number) => percentile(frames, share).toFixed(0);
  return [
    `A thread of ${MESSAGES} messages, a fifth of them pictures in albums, a quarter with reactions.`,
    '',
    '| | measured | bar |',
    '| --- | --- | --- |',
    `| first load, compressed, without pictures | ${first.kilobytes.toFixed(0)} kB | ${BARS.firstKilobytes} |`,
    `| reload, without pictures | ${again.kilobytes.toFixed(0)} kB | ${BARS.reloadKilobytes} |`,
    `| longest frame while scrolling to its beginning, of ${frames.length} | ${at(1)} ms | ${BARS.frameMs} |`,
    `| median frame, 99th percentile | ${at(0.5)} ms, ${at(0.99)} ms | |`,
    `| JavaScript heap afterwards, garbage collected | ${(usedSize / 1e6).toFixed(1)} MB | ${BARS.heapMegabytes} |`,
    '',
    `Largest of the first load: ${first.largest}. Of the reload: ${again.largest}.`,
  ];
}

/** Both people write through the server, so that all data is as in real use. */
async function fill(scene: WebScene, ada: Person & { page: Page }, bob: Person): Promise<void> {
  const urls: string[] = [];
  for (let i = 0; i < PICTURES; i++)
    urls.push(await uploadFile(ada.page, scene.origin, 'image', await paintHills(scene, i * 9), `${i}.jpg`));
  for (let i = 0; i < MESSAGES; i++) {
    const run = Math.floor(i / RUN);
    const [from, to] = run % 2 === 0 ? [ada, bob] : [bob, ada];
    const isPicture = run % PICTURES_EVERY === 0;
    const content = isPicture
      ? { type: 'image', fileUrl: urls[i % PICTURES], fileDetails: { albumId: `album-${run}` } }
      : { type: 'text', content: textOf(i) };
    const sent = await from.calls.post('/api/chat/messages', { to: to.accountId, ...content });
    if (i % REACTION_EVERY !== 0) continue;
    const path = `/api/chat/conversations/${sent['conversationId']}/messages/${sent['msgId']}/reactions`;
    await to.calls.put(path, { emoji: ['👍', '🎉', '❤️'].slice(0, 1 + (i % 3)) });
  }
}

function textOf(i: number): string {
  return `message ${i}${i % 7 === 0 ? `\n${'some more words '.repeat((i % 23) + 1)}` : ''}`;
}

/** The bytes transferred until the network is idle; pictures are not counted, since they belong to the conversation. */
async function transferred(page: Page, browser: CDPSession, open: () => Promise<unknown>) {
  const paths = new Map<string, string>();
  const bytes = new Map<string, number>();
  let lastAt = performance.now();
  const noteRequest = ({ requestId, request }: { requestId: string; request: { url: string } }) => {
    paths.set(requestId, new URL(request.url).pathname);
  };
  const noteEnd = ({ requestId, encodedDataLength }: { requestId: string; encodedDataLength: number }) => {
    lastAt = performance.now();
    const path = paths.get(requestId) ?? '';
    if (!path.startsWith('/media/')) bytes.set(path, (bytes.get(path) ?? 0) + encodedDataLength);
  };
  browser.on('Network.requestWillBeSent', noteRequest);
  browser.on('Network.loadingFinished', noteEnd);
  await open();
  await page.getByRole('region', { name: 'Messages' }).getByRole('article').first().waitFor();
  while (performance.now() - lastAt < QUIET_MS) await page.waitForTimeout(100);
  browser.off('Network.requestWillBeSent', noteRequest);
  browser.off('Network.loadingFinished', noteEnd);
  const ordered = [...bytes].sort(([, one], [, other]) => other - one);
  return {
    kilobytes: ordered.reduce((sum, [, size]) => sum + size, 0) / 1000,
    largest: ordered
      .slice(0, 6)
      .map(([path, size]) => `${path.replace(/prv_[^/]+/, '…')} ${(size / 1000).toFixed(1)} kB`)
      .join(', '),
  };
}

/** The milliseconds between frames. */
async function scrollToTop(page: Page): Promise<number[]> {
  const thread = page.getByRole('region', { name: 'Messages' });
  return thread.evaluate(
    (element, by) =>
      new Promise<number[]>((resolve) => {
        // This runs in the page; the benches are type-checked for Node.
        const { requestAnimationFrame } = globalThis as unknown as {
          requestAnimationFrame(step: (now: number) => void): void;
        };
        const gaps: number[] = [];
        let [last, still] = [performance.now(), 0];
        const step = (now: number) => {
          gaps.push(now - last);
          last = now;
          const isFirst = element.textContent?.includes('the first') === true;
          still = element.scrollTop === 0 && isFirst ? still + 1 : 0;
          if (still > 10 || gaps.length > 20_000) return resolve(gaps.slice(1));
          element.scrollBy(0, -by);
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    PIXELS_PER_FRAME,
  );
}
