/** A setting that nothing works without; one from the environment may be missing. @throws TypeError that names it */
export function required(name: string, value: string | undefined): string {
  if (!value) throw new TypeError(`${name} is required, and is ${value === '' ? 'empty' : 'not set'}`);
  return value;
}
