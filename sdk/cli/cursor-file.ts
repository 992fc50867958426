import { readJsonFile, writeJsonFile } from './config-file.ts';

/** Stores a listener's position, by server and application. Contains no secret. */
export class CursorFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async read(place: string): Promise<string | undefined> {
    return (await this.#readAll())[place];
  }

  async write(place: string, cursor: string): Promise<void> {
    await writeJsonFile(this.#path, { ...(await this.#readAll()), [place]: cursor });
  }

  #readAll(): Promise<Record<string, string | undefined>> {
    return readJsonFile<Record<string, string>>(this.#path, 'listen from now on');
  }
}
