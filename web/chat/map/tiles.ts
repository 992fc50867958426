/** The side of a tile in pixels. */
const TILE = 256;

/** A tile and its position, in pixels from the centre of the map. */
export interface PlacedTile {
  url: string;
  left: number;
  top: number;
}

/** The tiles of a small map around a location (Web Mercator, as used by all tile servers). */
export function tilesAround(
  template: string,
  { latitude, longitude }: { latitude: number; longitude: number },
  { width, height, zoom }: { width: number; height: number; zoom: number },
): PlacedTile[] {
  const count = 2 ** zoom;
  const radians = (Math.max(-85, Math.min(85, latitude)) * Math.PI) / 180;
  const x = ((longitude + 180) / 360) * count;
  const y = ((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * count;
  const [across, down] = [width / TILE / 2, height / TILE / 2];
  const tiles: PlacedTile[] = [];
  for (let row = Math.floor(y - down); row <= Math.floor(y + down); row++) {
    if (row < 0 || row >= count) continue;
    for (let column = Math.floor(x - across); column <= Math.floor(x + across); column++) {
      const wrapped = ((column % count) + count) % count;
      tiles.push({
        url: tileUrlOf(template, { z: zoom, x: wrapped, y: row }),
        left: Math.round((column - x) * TILE),
        top: Math.round((row - y) * TILE),
      });
    }
  }
  return tiles;
}

function tileUrlOf(template: string, tile: { z: number; x: number; y: number }): string {
  return template.replace(/\{([zxy])\}/g, (_, name: 'z' | 'x' | 'y') => String(tile[name]));
}
