/**
 * Over HTTP/1.1, a browser opens six connections to a server, for all its tabs together: with a stream in each of six tabs,
 * nothing else would get through. So only a few have one, those that somebody looks at before others.
 */
const PLACES = Array.from({ length: 4 }, (_, i) => `parley-stream-${i}`);

/**
 * Calls `use` once there is a place. Its signal aborts with the given one, and when another page is looked at and this one is
 * not.
 *
 * @throws the reason of the signal, if that aborts while there is no place
 */
export async function inPlace<T>(use: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  if (!navigator.locks || isMultiplexed()) return use(signal);
  const places = new BroadcastChannel('parley-streams');
  const [found, given] = [new AbortController(), new AbortController()];
  const ask = () => {
    if (!document.hidden) places.postMessage('wanted');
  };
  let using: Promise<T> | undefined;
  const take = async () => {
    if (using) return;
    found.abort();
    places.onmessage = () => {
      if (document.hidden) given.abort();
    };
    using = use(AbortSignal.any([signal, given.signal]));
    await using.catch(() => {});
  };
  const options = { signal: AbortSignal.any([signal, found.signal]) };
  const taken = Promise.allSettled(PLACES.map((name) => navigator.locks.request(name, options, take)));
  document.addEventListener('visibilitychange', ask, options);
  const { held = [] } = await navigator.locks.query();
  if (!using && PLACES.every((name) => held.some((lock) => lock.name === name))) ask();
  await taken;
  places.close();
  if (!using) throw signal.reason;
  return using;
}

/** HTTP/2 and later carry any number of requests over one connection. */
function isMultiplexed(): boolean {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return /^h[23]/.test(page?.nextHopProtocol ?? '');
}
