import { readJsonFile, writeJsonFile } from './config-file.ts';

/** Stores a listener's position, by server and application. Contains no secret. */
export class CursorFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async read(key: string): Promise<string | undefined> {
    return (await this.#readAll())[key];
  }

  async write(key: string, cursor: string): Promise<void> {
    await writeJsonFile(this.#path, { ...(await this.#readAll()), [key]: cursor });
  }

  #readAll(): Promise<Record<string, string | undefined>> {
    return readJsonFile<Record<string, string>>(this.#path, 'listen from now on');
  }
}
