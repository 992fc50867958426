let asked: string | undefined;

/** Somebody who is not signed in looks at the group of this link; by signing in or up there, they ask to join. */
export function askBySigningIn(token: string): void {
  asked = token;
}

/** Whether they did; only once. */
export function takeAsked(token: string): boolean {
  const isAsked = asked === token;
  asked = undefined;
  return isAsked;
}
