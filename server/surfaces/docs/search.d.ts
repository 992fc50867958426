import type MiniSearch from 'minisearch';

/** A section of a page, or an operation. */
interface Found {
  id: string;
  title: string;
  heading: string;
  text: string;
}

export function openSearch(library: typeof MiniSearch, documents: Found[]): MiniSearch<Found>;
export function find(index: MiniSearch<Found>, query: string): (Found & { score: number })[];
