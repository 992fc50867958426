type WithoutDeps<F> = F extends (deps: never, ...given: infer Given) => infer Result
  ? (...given: Given) => Result
  : never;

/** The services of a feature, with what they stand on given once: `fn(deps, …)` becomes `fn(…)`. */
export function withDeps<D, F extends Record<string, (deps: D, ...given: never[]) => unknown>>(
  deps: D,
  services: F,
): { [name in keyof F]: WithoutDeps<F[name]> } {
  const bound = Object.entries(services).map(([name, service]) => [
    name,
    (...given: never[]) => service(deps, ...given),
  ]);
  return Object.fromEntries(bound);
}
