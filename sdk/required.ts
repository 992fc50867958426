/** A required setting, which may be missing if it comes from the environment. @throws TypeError that names it */
export function required(name: string, value: string | undefined): string {
  if (!value) throw new TypeError(`${name} is required, and is ${value === '' ? 'empty' : 'not set'}`);
  return value;
}
