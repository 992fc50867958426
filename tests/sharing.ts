/** One of several uses of a resource, which ends with the last of them. */
interface Use<T> extends AsyncDisposable {
  value: T;
}

/** Starts a slow resource once for all test files of a process that use it. */
export function sharing<Asked, T extends AsyncDisposable>(
  start: (asked: Asked) => Promise<T>,
): (asked: Asked) => Promise<Use<T>> {
  const inUse = new Map<string, { starting: Promise<T>; uses: number }>();
  return async (asked) => {
    const key = JSON.stringify(asked);
    const shared = inUse.get(key) ?? { starting: start(asked), uses: 0 };
    inUse.set(key, shared);
    shared.uses++;
    const value = await shared.starting;
    return {
      value,
      async [Symbol.asyncDispose]() {
        if (--shared.uses > 0) return;
        inUse.delete(key);
        await value[Symbol.asyncDispose]();
      },
    };
  };
}
