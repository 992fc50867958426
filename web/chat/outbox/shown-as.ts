const keys = new Map<string, string>();

/** A message sent here keeps its row in the thread when it gets its id. */
export function noteShownAs(msgId: string, key: string): void {
  keys.set(msgId, key);
}

export function shownAs(msgId: string): string {
  return keys.get(msgId) ?? msgId;
}
