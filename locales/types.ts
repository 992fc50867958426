import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';

const PATH = new URL('./en.d.json.ts', import.meta.url);

// A JSON module has the type `string` for each text; its placeholders are checked by the literal types.
const texts = await readFile(new URL('./en.json', import.meta.url), 'utf8');
const generated = `declare const texts: ${texts.trim()};\nexport = texts;\n`;

if (!process.argv.includes('--check')) {
  await writeFile(PATH, generated);
} else if ((await readFile(PATH, 'utf8').catch(() => '')) !== generated) {
  console.error('locales/en.d.json.ts is not the type of en.json; run: npm run locales');
  process.exit(1);
}
