import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { serviceWorker } from './worker/build.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Compressed once, here, and not by the server with every answer. */
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

/** Two pages, the console and the chat, out of one build that shares what they have in common. */
export default defineConfig({
  root: here('.'),
  plugins: [
    react(),
    compressed,
    serviceWorker({
      source: here('./worker/service-worker.js'),
      files: here('./public'),
      page: 'chat/index.html',
    }),
  ],
  // The server puts a fresh nonce in its place with every answer (surfaces/web.ts).
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: here('./dist'),
    emptyOutDir: true,
    target: 'es2022',
    // These know light-dark(), which must not be rewritten: what would replace it looks for another selector.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // `data:` URLs would need a wider content security policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: { console: here('./console/index.html'), chat: here('./chat/index.html') },
      // In one file what both pages, or one and a later part of it, begin with: it would be some 40, each a request.
      output: { codeSplitting: { groups: [{ name: 'shared', tags: ['$initial'], minShareCount: 2 }] } },
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
