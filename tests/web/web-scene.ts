import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import type { Locator, Page } from 'playwright-core';
import { createTestDatabase } from '#testing/database.ts';
import { eventually } from '#testing/waits.ts';
import { Browser } from '../browser.ts';
import { type BrowserNeeds, openWindow, startChromium, type Visit } from '../chromium.ts';
import { settingsOn, startParley, UNLIMITED } from '../processes.ts';
import { sharing } from '../sharing.ts';

export const PASSWORD = 'correct horse battery';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Phone and desktop, light and dark: each screen is checked in all four. */
export const VIEWS = [
  { name: 'desktop-light', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { name: 'desktop-dark', viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  { name: 'phone-light', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { name: 'phone-dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const;

export type WebScene = Awaited<ReturnType<typeof startWebScene>>;

export interface Entering {
  name?: string;
  locale?: string;
  /** Lets the pages be cached for offline use. */
  isInstalled?: boolean;
  /** An existing person, on another device. */
  as?: Person;
}

export interface Person {
  name: string;
  email: string;
  accountId: string;
  /** A session without a window, for test preparations. */
  calls: Browser;
}

/**
 * A real server with its pages, and a real browser. Without an environment of its own, it shares its server with the others
 * of the process.
 */
export async function startWebScene(environment?: Record<string, string>, browserNeeds: BrowserNeeds = {}) {
  await using made = new AsyncDisposableStack();
  const { value: chromium } = made.use(await shareChromium(browserNeeds));
  const server = environment
    ? made.use(await startServer(environment))
    : made.use(await shareServer(UNLIMITED)).value;
  const { origin } = server;
  const kept = made.move();
  /** A new person who calls the pages' routes without a window. */
  const person = async (name: string): Promise<Person> => {
    const email = `${crypto.randomUUID()}@example.com`;
    const calls = new Browser(origin);
    const { account } = (await calls.post('/api/auth/sign-up', { email, password: PASSWORD, name })) as {
      account: { accountId: string };
    };
    return { name, email, accountId: account.accountId, calls };
  };
  /** An element that is still fading in does not have its final contrast. */
  const calm = { baseURL: origin, reducedMotion: 'reduce' } as const;
  return {
    origin,
    chromium,
    person,
    /** A new person in a window of their own, signed in, at `path`. */
    async enter(
      path: string,
      { name = 'Ada Lovelace', locale = 'en-GB', isInstalled = false, as }: Entering = {},
    ): Promise<Visit & Person> {
      const somebody = as ?? (await person(name));
      const visit = await openWindow(chromium, {
        ...calm,
        locale,
        viewport: VIEWS[0].viewport,
        permissions: ['clipboard-read', 'clipboard-write'],
        serviceWorkers: isInstalled ? 'allow' : 'block',
      });
      await signInOn(visit.page, origin, somebody.email);
      await visit.page.goto(path);
      return { ...somebody, ...visit };
    },
    /** Somebody who is not signed in, on a phone at `path`. */
    async visit(path: string): Promise<Visit> {
      const visit = await openWindow(chromium, {
        ...calm,
        viewport: VIEWS[2].viewport,
        locale: 'en-GB',
        serviceWorkers: 'block',
      });
      await visit.page.goto(path);
      return visit;
    },
    /** Ends the server like a power cut; only for a scene with a server of its own. */
    kill: server.kill,
    restart: server.restart,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Signs the window of a page in. */
export async function signInOn(page: Page, origin: string, email: string): Promise<void> {
  const answer = await eventually(async () => {
    const data = { email, password: PASSWORD };
    const answer = await page.request.post('/api/auth/sign-in', { data, headers: { origin } });
    // A busy server refuses for a moment.
    return answer.status() === 503 ? undefined : answer;
  });
  assert.equal(answer.status(), 200);
}

/** Their other sessions end: a window of theirs goes on with the one that turned it on. */
export async function turnOnTwoFactor({ calls }: Person, page?: Page): Promise<void> {
  // The rest of a file may have taken longer than a sign-in counts as recent.
  await calls.post('/api/auth/confirm', { password: PASSWORD });
  const { secret = '' } = await calls.post<Record<string, string>>('/api/auth/two-factor/enrol', {});
  const code = TOTP.generate({ secret: Secret.fromBase32(secret) });
  await calls.post('/api/auth/two-factor/confirm', { code });
  const [name = '', value = ''] = calls.cookie.split('=');
  await page?.context().addCookies([{ name, value, url: new URL(page.url()).origin }]);
}

const shareChromium = sharing(startChromium);
const shareServer = sharing(startServer);

async function startServer(environment: Record<string, string>) {
  await using made = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'parley-web-'));
  made.defer(() => rm(directory, { recursive: true, force: true }));
  const settings = {
    DATA_DIR: join(directory, 'data'),
    // Many of them share one PostgreSQL.
    DATABASE_POOL_SIZE: '4',
    ...(await sharedStorage(made)),
    ...environment,
  };
  let server = await startParley(settings);
  made.defer(() => server[Symbol.asyncDispose]());
  const origin = server.url.replace('127.0.0.1', 'localhost');
  const kept = made.move();
  return {
    origin,
    kill: () => server.kill(),
    /** Starts it again with the same data and address. */
    async restart(): Promise<void> {
      server = await startParley({ ...settings, PORT: new URL(origin).port });
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** A database on the shared server, if there is one: faster than a server of its own. */
async function sharedStorage(made: AsyncDisposableStack): Promise<Record<string, string>> {
  if (!process.env['TEST_DATABASE_URL']) return {};
  return settingsOn(made.use(await createTestDatabase()));
}

/** Clicks the button with exactly this name. */
export function press(within: Pick<Page, 'getByRole'>, name: string): Promise<void> {
  return within.getByRole('button', { name, exact: true }).click();
}

/** Signs in by the form on a page. */
export async function signInByForm(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').first().fill(password);
  await press(page, 'Sign in');
}

/** Waits for an alert, or a notification, that says this. */
export function told(page: Page, text: string): Promise<void> {
  return page.getByRole('alert').filter({ hasText: text }).first().waitFor();
}

/** Presses Enter on a part of the open menu or dialog, which takes the focus a moment after it is there. */
export async function chooseByKey(page: Page, choice: Locator): Promise<void> {
  await page.locator(':is([role=menu], [role=dialog]):focus-within').waitFor();
  await choice.press('Enter');
}

/** Counts the clicks in a page from now on, until it is loaded again. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate("clicks = 0; addEventListener('pointerdown', () => { clicks += 1; }, true)");
  return () => page.evaluate('clicks');
}

/** Navigates within the page, like a link, without loading it again. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
}

/** Navigates to another screen of a console, and waits for it: the previous one stays until it has loaded. */
export async function openScreen(page: Page, path: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 1 });
  const before = await heading.elementHandle();
  await follow(page, path);
  await before?.waitForElementState('hidden');
  await heading.waitFor();
}

/** Waits until an expression is true in the page, or its promise resolves. The page's policy does not let a script wait there. */
export async function until(page: Page, expression: string): Promise<void> {
  await eventually(() => page.evaluate(expression), expression);
}

/** Waits until the service worker has cached all its files. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
}

/**
 * Checks that hold for every screen: axe finds nothing serious, or nothing at all, in either colour scheme, and nothing
 * overflows sideways. Contrast takes longer than all other checks: it runs only for texts with new colours, and nothing else
 * depends on the colour scheme.
 */
export async function checkScreen(page: Page, severity: 'serious' | 'any' = 'serious'): Promise<void> {
  // The page's policy allows only its own scripts; this injects one through the debugger.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(await readFile(AXE, 'utf8'));
  await settle(page);
  const contrast = { 'color-contrast': { enabled: await hasNewColours(page) } };
  const faults = (await violations(page, { rules: contrast }))
    .filter(({ impact }) => severity === 'any' || impact === 'serious' || impact === 'critical')
    .map(describeViolation);
  if (severity === 'any') {
    await changeColorScheme(page, 'dark');
    await settle(page);
    const inDark = (await hasNewColours(page))
      ? await violations(page, { runOnly: ['link-in-text-block', 'color-contrast'] })
      : [];
    faults.push(...inDark.map((one) => `dark: ${describeViolation(one)}`));
    await changeColorScheme(page, 'light');
  }
  assert.deepEqual(faults, [], page.url());
  await checkWidth(page);
  assert.deepEqual(await page.evaluate(CUT_TEXTS), [], `${page.url()} cuts these texts`);
  assert.deepEqual(await page.evaluate(BARE_LINKS), [], `${page.url()} has links in the browser's colours`);
  const folder = process.env['SCREENSHOTS'];
  if (folder) await photograph(page, folder, nextNameFor(page));
}

const photographed = new Map<string, number>();

/** The path of a page, without the ids in it, and which of its states it is: `console-applications-events-2`. */
function nextNameFor(page: Page): string {
  const parts = new URL(page.url()).pathname.split('/').filter((part) => part && !/_|\d/.test(part));
  const name = parts.join('-') || 'chat';
  const count = (photographed.get(name) ?? 0) + 1;
  photographed.set(name, count);
  return count === 1 ? name : `${name}-${count}`;
}

/** As the system does: an open page follows an event, some time later. */
export async function changeColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const former = colorScheme === 'dark' ? 'light' : 'dark';
  await page.locator(`html:not([data-mantine-color-scheme=${former}])`).waitFor();
}

/** Buttons, choices and alerts whose text is cut off. */
const CUT_TEXTS = `[...document.querySelectorAll('.mantine-Button-label, .mantine-SegmentedControl-root, .mantine-Alert-root')]
  .filter((element) => element.checkVisibility() && element.scrollWidth > element.clientWidth + 1)
  .map((element) => element.innerText)`;

/** Links without a colour of their own, which browsers show in a blue, once visited in a purple. */
const BARE_LINKS = `[...document.links]
  .filter((link) => ['rgb(0, 0, 238)', 'rgb(158, 158, 255)'].includes(getComputedStyle(link).color))
  .map((link) => link.innerText)`;

/** Nothing overflows sideways. */
export async function checkWidth(page: Page): Promise<void> {
  const overhang = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  assert.equal(Math.max(0, overhang as number), 0, `${page.url()} is wider than the window`);
}

/**
 * The inputs to each text's contrast: its colour, the colours behind it, its size, whether it is disabled and, in a link, how it
 * differs from the text around it.
 */
const COLOURS = `[...new Set([...document.querySelectorAll('body *')]
  .filter((element) => [...element.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim() !== ''))
  .filter((element) => element.checkVisibility())
  .map((element) => {
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const behind = [];
    for (let outer = element; outer !== null; outer = outer.parentElement) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(outer);
      if (opacity !== '1') behind.push(opacity);
      if (backgroundImage !== 'none') behind.push(backgroundImage);
      if (backgroundColor !== 'rgba(0, 0, 0, 0)') behind.push(backgroundColor);
      if (backgroundColor.startsWith('rgb(')) break;
    }
    const isDisabled = element.closest(':disabled, [aria-disabled=true]') !== null;
    const link = element.closest('a');
    let block = link?.parentElement;
    while (block && getComputedStyle(block).display === 'inline') block = block.parentElement;
    const inText = block && block.textContent.trim() !== link.textContent.trim() &&
      [getComputedStyle(link).textDecorationLine, getComputedStyle(block).color];
    return [color, ...behind, fontSize, fontWeight, isDisabled, inText].join(' ');
  }))]`;

const checkedColours = new Set<string>();

async function hasNewColours(page: Page): Promise<boolean> {
  const known = checkedColours.size;
  for (const colours of (await page.evaluate(COLOURS)) as string[]) checkedColours.add(colours);
  return checkedColours.size > known;
}

/** Finishes animations, so that elements have their final colours. Paused ones stay: the end of a story's bar changes the element. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(`new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() => {
    for (const animation of document.getAnimations()) {
      const isEndless = animation.effect.getComputedTiming().endTime === Infinity;
      if (animation.playState === 'running' && !isEndless) animation.finish();
    }
  })`);
}

async function violations(page: Page, rules: object): Promise<Violation[]> {
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules });
  return page.evaluate(`axe.run(${options}).then(({ violations }) => violations)`);
}

function describeViolation({ id, nodes }: Violation): string {
  return `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`;
}

/** The same for desktops and phones. */
export async function checkEveryView(page: Page): Promise<void> {
  for (const { viewport } of [VIEWS[2], VIEWS[0]]) {
    await page.setViewportSize(viewport);
    await checkScreen(page, 'any');
  }
}

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/**
 * Takes screenshots of the screen in every view, as `directory/name-desktop-light.jpg` and so on.
 *
 * @param look called for each of them
 */
export async function photograph(
  page: Page,
  directory: string,
  name: string,
  type: 'jpeg' | 'png' = 'jpeg',
  look: (view: string) => Promise<void> = async () => {},
): Promise<void> {
  const viewport = page.viewportSize() ?? VIEWS[0].viewport;
  for (const view of VIEWS) {
    await page.setViewportSize(view.viewport);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await changeColorScheme(page, view.colorScheme);
    await page.waitForTimeout(250);
    const path = join(directory, `${name}-${view.name}.${type === 'jpeg' ? 'jpg' : 'png'}`);
    await page.screenshot({ path, type, ...(type === 'jpeg' && { quality: 60 }) });
    await look(view.name);
  }
  await page.setViewportSize(viewport);
  await changeColorScheme(page, 'light');
}
