import { waitMs } from './service.ts';

/** How often a draft is updated. */
const SHOW_EVERY_MS = 250;

/**
 * Shows a text while it grows. What cannot be shown is not: the reply itself will tell. After a failure, the text as it is by then
 * is shown 1, 2, 4 … s later, or when the service asks for it.
 */
export class GrowingDraft {
  /** One attempt, so that the reply waits for no more than that. */
  readonly #showDraft: (content: string) => Promise<void>;
  #text = '';
  #failures = 0;
  /** With how long to wait before the next one. */
  #inFlight: Promise<number> | undefined;
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
    const inFlight = this.#attempt(shown);
    this.#inFlight = inFlight;
    const timer = setTimeout(async () => {
      const restMs = await inFlight;
      if (this.#timer !== timer) return;
      if (restMs > 0) this.#timer = setTimeout(() => this.#begin(), restMs);
      else {
        this.#timer = undefined;
        if (this.#text !== shown) this.#begin();
      }
    }, SHOW_EVERY_MS);
    this.#timer = timer;
  }

  async #attempt(content: string): Promise<number> {
    try {
      await this.#showDraft(content);
      this.#failures = 0;
      return 0;
    } catch (error) {
      return waitMs(this.#failures++, error);
    }
  }
}
