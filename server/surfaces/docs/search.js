// Runs in the reader's browser, as it stands: how the documentation is searched.

/** Words that people bring from other platforms, with those of this documentation. */
const ALSO = {
  photo: 'image',
  picture: 'image',
  file: 'doc',
  document: 'doc',
  channel: 'broadcast',
  token: 'key',
};

const FILLERS = new Set(['a', 'an', 'the', 'to', 'of', 'my', 'how', 'do', 'i', 'can']);

/**
 * @param MiniSearch the class of the library
 * @param documents what `search.json` holds
 */
export function openSearch(MiniSearch, documents) {
  const index = new MiniSearch({
    fields: ['title', 'heading', 'text'],
    storeFields: ['title', 'heading', 'text'],
  });
  index.addAll(documents);
  return index;
}

/** The sections that have every word, forms and typing errors included; where there are none, those that have most. */
export function find(index, query) {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word && !FILLERS.has(word));
  const options = {
    boost: { title: 3, heading: 4 },
    // Whoever wants to know what changed opens the changelog.
    boostDocument: (id) => (id.startsWith('/docs/changelog') ? 0.2 : 1),
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : 0),
  };
  const toQuery = (word) =>
    Object.hasOwn(ALSO, word) ? { combineWith: 'OR', queries: [word, ALSO[word]] } : word;
  const every = index.search({ combineWith: 'AND', queries: words.map(toQuery) }, options);
  return every.length > 0 ? every : index.search(query, options);
}
