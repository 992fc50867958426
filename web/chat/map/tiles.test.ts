import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tilesAround } from './tiles.ts';

const TEMPLATE = 'https://tiles.example.com/{z}/{x}/{y}.png';

test('a small map has the tiles around the location, which is in its centre', () => {
  const tower = { latitude: 48.8584, longitude: 2.2945 };
  const [tile, ...others] = tilesAround(TEMPLATE, tower, { width: 2, height: 2, zoom: 15 });
  assert.deepEqual(others, []);
  assert.equal(tile?.url, 'https://tiles.example.com/15/16592/11272.png');
  assert.ok(tile && tile.left <= 0 && tile.left > -256 && tile.top <= 0 && tile.top > -256);
  assert.equal(tilesAround(TEMPLATE, tower, { width: 512, height: 256, zoom: 15 }).length, 6);
});

test('a map continues across the date line, and ends at the poles', () => {
  const urls = (latitude: number, longitude: number) =>
    tilesAround(TEMPLATE, { latitude, longitude }, { width: 256, height: 256, zoom: 1 }).map(({ url }) =>
      url.slice(TEMPLATE.indexOf('{')),
    );
  assert.deepEqual(new Set(urls(0, 180)), new Set(['1/1/0.png', '1/0/0.png', '1/1/1.png', '1/0/1.png']));
  assert.ok(urls(90, 0).every((url) => url.endsWith('/0.png')));
});
