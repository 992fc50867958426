/** Whether a keyboard on the screen is likely: a phone or tablet. */
export function hasTouchKeyboard(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}
