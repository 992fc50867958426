import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STYLE } from './style.ts';

/** Relative luminance by WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const schemes = STYLE.split('@media (prefers-color-scheme: dark)')
  .slice(0, 2)
  .map((part) =>
    Object.fromEntries([...part.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, ...pair]) => pair)),
  );

test('every text has a contrast of 4.5 or more, every border of a control and the focus 3, light and dark', () => {
  const texts = [
    ['text', 'page'],
    ['text', 'card'],
    ['text', 'tint'],
    ['muted', 'card'],
    ['muted', 'tint'],
    ['accent', 'card'],
    ['accent', 'tint'],
    ['accent-strong', 'card'],
    ['text', 'shade'],
    ['muted', 'shade'],
    ['good', 'shade'],
    ['bad', 'shade'],
    ['accent', 'page'],
    ['accent', 'shade'],
    ['on-button', 'button'],
    ['on-button', 'button-strong'],
    ['text', 'selection'],
    ['good', 'good-tint'],
  ];
  const shapes = [
    ['field-line', 'card'],
    ['accent', 'card'],
    ['accent', 'page'],
    ['bad', 'card'],
  ];
  assert.equal(schemes.length, 2);
  for (const colours of schemes) {
    for (const [pairs, least] of [
      [texts, 4.5],
      [shapes, 3],
    ] as const) {
      for (const [front = '', back = ''] of pairs) {
        const found = contrast(colours[front] as string, colours[back] as string);
        assert.ok(found >= least, `${front} on ${back}: ${found.toFixed(2)}`);
      }
    }
  }
});
