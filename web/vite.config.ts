import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { serviceWorker } from './worker/build.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Compresses files at build time, and not for every response. */
const compressed: Plugin = {
  name: 'compressed',
  async writeBundle({ dir }, bundle) {
    const files = Object.keys(bundle).filter((name) => /\.(js|css|json)$/.test(name));
    await Promise.all(
      files.map(async (name) => {
        const bytes = await readFile(`${dir}/${name}`);
        const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        await writeFile(`${dir}/${name}.br`, brotliCompressSync(bytes, { params: quality }));
      }),
    );
  },
};

/** Loads only some parts of a language's texts: `locales/de.json?parts=ui,chat`. */
const partsOfTexts: Plugin = {
  name: 'parts-of-texts',
  async load(id) {
    const [path = '', parts] = id.split('?parts=');
    if (!parts) return undefined;
    const texts: Record<string, unknown> = JSON.parse(await readFile(path, 'utf8'));
    const wanted = Object.fromEntries(parts.split(',').map((part) => [part, texts[part]]));
    return { code: `export default ${JSON.stringify(wanted)}`, moduleType: 'js' };
  },
};

/**
 * Of Mantine's styles, a page loads those of the components that it uses: each component brings its own, and the file that has
 * them all only what they share. They are in a layer, so that the pages' own styles win whatever is loaded later.
 */
const stylesOfComponents: Plugin = {
  name: 'styles-of-components',
  apply: 'build',
  load(id) {
    if (!id.endsWith('/@mantine/core/styles.layer.css')) return undefined;
    const shared = ['default-css-variables', 'baseline', 'global'];
    return shared.map((name) => `@import './styles/${name}.layer.css';`).join('\n');
  },
  transform(code, id) {
    const [, component] = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/.exec(id) ?? [];
    return component && `import '@mantine/core/styles/${component}.layer.css';\n${code}`;
  },
};

/** The pages of the console, the chat and of signing in, built together to share code. */
export default defineConfig({
  root: here('.'),
  plugins: [
    react(),
    stylesOfComponents,
    compressed,
    partsOfTexts,
    serviceWorker({
      source: here('./worker/service-worker.js'),
      files: here('./public'),
      locales: here('../locales'),
      page: 'chat/index.html',
    }),
  ],
  // The server replaces it with a fresh nonce in every response (surfaces/web.ts).
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: here('./dist'),
    emptyOutDir: true,
    // The pages use nothing that these lack, such as iterator helpers; public/old-browser.js tells people with older ones.
    target: ['chrome126', 'firefox126', 'safari18'],
    // `data:` URLs would need a wider content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: Object.fromEntries(
        ['console', 'chat', 'sign-in'].map((page) => [page, here(`./${page}/index.html`)]),
      ),
      // Bundles code shared by initial chunks into one file, and icons and shared parts of the chat into one each: it would otherwise
      // be some 60 requests. What the consoles share with each other and with their screens is no part of the chat.
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'shared',
              tags: ['$initial'],
              minShareCount: 2,
              test: /^(?!.*(\/web\/console\/|\/console-frame|\/AppShell))/,
            },
            { name: 'icons', minShareCount: 2, test: /@tabler/ },
            { name: 'parts', minShareCount: 3, test: /\/web\/chat\// },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/api', '/v1', '/oauth', '/docs', '/media', '/openapi.json'].map((path) => [
        path,
        { target: 'http://localhost:3000', changeOrigin: true },
      ]),
    ),
  },
});
