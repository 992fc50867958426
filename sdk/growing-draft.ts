/** How often a draft is updated. */
const SHOW_EVERY_MS = 250;

/** Shows a text while it grows. What cannot be shown is not: the reply itself will tell. */
export class GrowingDraft {
  readonly #showDraft: (content: string) => Promise<void>;
  #text = '';
  #inFlight: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(showDraft: (content: string) => Promise<void>) {
    this.#showDraft = showDraft;
  }

  show(text: string): void {
    this.#text = text;
    if (this.#timer === undefined && text.trim() !== '') this.#begin();
  }

  /** Resolves when no draft is on its way. */
  async pause(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#inFlight;
  }

  #begin(): void {
    const shown = this.#text;
    this.#inFlight = this.#showDraft(shown).catch(() => undefined);
    this.#timer = setTimeout(async () => {
      const timer = this.#timer;
      await this.#inFlight;
      if (this.#timer !== timer) return;
      this.#timer = undefined;
      if (this.#text !== shown) this.#begin();
    }, SHOW_EVERY_MS);
  }
}
