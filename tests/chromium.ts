import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { LONGEST_WAIT_MS } from '#testing/waits.ts';

const FULL = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** The same engine for a seventh less CPU time, starting in half the time. */
const SHELL = '/usr/bin/chromium-headless-shell';

/** A name of this machine that browsers do not trust over plain http, as they trust localhost. */
export const PLAIN_HOST = 'plain.test';

/** Options of a browser that few tests need. */
export interface BrowserNeeds {
  /** The headless shell does not support notifications or a microphone. */
  hasNotifications?: boolean;
  /** Most tests leave a page before optimizing its scripts would pay off. */
  isOptimizing?: boolean;
}

/** A real browser that can reach only the test's servers. */
export async function startChromium({
  hasNotifications = false,
  isOptimizing = false,
}: BrowserNeeds = {}): Promise<Browser> {
  const paths = hasNotifications ? FULL : [SHELL, ...FULL];
  const executablePath = paths.find((path) => existsSync(path));
  if (!executablePath) {
    throw new Error(
      `this test walks through pages with a real browser, and there is none at ${paths.join(', ')}: ` +
        'install one (Debian: apt-get install chromium)',
    );
  }
  return chromium.launch({
    executablePath,
    timeout: LONGEST_WAIT_MS,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`,
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A simulated microphone that beeps.
      '--use-fake-device-for-media-stream',
      ...(isOptimizing ? [] : ['--js-flags=--no-opt --no-maglev']),
    ],
  });
}

export interface Visit extends AsyncDisposable {
  page: Page;
  /** Policy violations and errors in the browser. */
  complaints: string[];
}

/** A browser window with its own cookies. */
export async function openWindow(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(LONGEST_WAIT_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A page asks again what a busy server has not answered.
    if (!message.text().includes('status of 503')) complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}
