/** One setting: its parser, its default, and its description for operators. */
interface Setting<T> {
  read: (text: string) => T;
  fallback: T;
  about: string;
  /** How the default is shown, if not by its own text. */
  shownFallback?: string;
  /** How much of its text operators may see: nothing, or an address without its password. */
  hides?: 'all' | 'credentials';
}

/** Keeps the type of each setting in a table of many. */
export function setting<T>(definition: Setting<T>): Setting<T>;
/** One without a default: undefined where it is not set. */
export function setting<T>(definition: Omit<Setting<T>, 'fallback'>): Setting<T | undefined>;
export function setting(
  definition: Omit<Setting<unknown>, 'fallback'> & { fallback?: unknown },
): Setting<unknown> {
  const { fallback } = definition;
  return { ...(fallback === undefined && { shownFallback: 'not set' }), ...definition, fallback };
}
