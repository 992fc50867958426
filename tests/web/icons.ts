import { readFile } from 'node:fs/promises';
import { startChromium } from '../chromium.ts';

/**
 * Creates the icons of the installed app from icon.svg: `node tests/web/icons.ts`. Maskable icons have a background, with
 * the content within the safe zone (80 %).
 */
const ICONS = [
  { name: 'icon-192', size: 192, share: 1 },
  { name: 'icon-512', size: 512, share: 1 },
  { name: 'icon-maskable-512', size: 512, share: 0.6, ground: '#1f55c8', figure: '#fff' },
  { name: 'apple-touch-icon', size: 180, share: 0.66, ground: '#1f55c8', figure: '#fff' },
];

const folder = new URL('../../web/public/', import.meta.url);
const drawing = await readFile(new URL('icon.svg', folder), 'utf8');
const chromium = await startChromium();
const page = await chromium.newPage();
for (const { name, size, share, ground = 'transparent', figure } of ICONS) {
  const svg = figure ? drawing.replace(/fill="[^"]+"/, `fill="${figure}"`) : drawing;
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>body{margin:0;display:grid;place-items:center;height:100vh;background:${ground}}svg{width:${share * 100}vw}</style>${svg}`,
  );
  await page.screenshot({ path: new URL(`${name}.png`, folder).pathname, omitBackground: true });
}
await chromium.close();
