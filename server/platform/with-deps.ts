type WithoutDeps<F> = F extends (deps: never, ...given: infer Given) => infer Result
  ? (...given: Given) => Result
  : never;

/** Binds a feature's services to their dependencies: `fn(deps, …)` becomes `fn(…)`. */
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
