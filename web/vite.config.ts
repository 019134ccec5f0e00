/** How the dashboard is built. scripts/bundle-web.mjs runs this build; `npm run web` serves the sources instead. */
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { defineConfig } from 'vite'
import type { HtmlTagDescriptor, Plugin } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The running `muster up` that answers the requests of the development server. */
const server = process.env['MUSTER_SERVER'] ?? 'http://127.0.0.1:6878'

/**
 * Without these groups, each module that two screens share becomes a file of its own, and the board would need 38 files.
 * A group has the modules that match, with everything that they import.
 */
const CHUNKS = [
  { name: 'start', test: /web\/src\/main\.ts$/, priority: 3 },
  { name: 'program', test: /web\/src\/(app\/mount\.tsx|cards\/graph\/links\.ts)$/, priority: 2 },
  // Two screens draw graphs, but the board does not. It needs only the rules of links, which are in the program.
  {
    name: 'graph',
    test: /web\/src\/cards\/graph\/(canvas|layout|link-line|node)|node_modules\/(@xyflow|@dagrejs|d3-|zustand|classcat)/,
    priority: 1.5,
  },
  { name: 'screens', test: /web\/src\/|src\/core\/|node_modules/, minShareCount: 2, priority: 1 },
]

/** What the page names besides its entry, by the names of files. `soon`: main.ts makes it `modulepreload`. */
const LINKS: readonly { readonly file: RegExp; readonly attrs: Readonly<Record<string, string>> }[] = [
  { file: /^assets\/(program|screens)-.*\.css$/, attrs: { rel: 'stylesheet' } },
  { file: /^assets\/(program|screens)-.*\.js$/, attrs: { rel: 'soon' } },
  { file: /^assets\/inter-.*\.woff2$/, attrs: { rel: 'preload', as: 'font', type: 'font/woff2' } },
]

/**
 * Names the files of the first screen in the page, so that the browser requests them early. The script for the first paint
 * gets a name with a hash, so that the browser keeps it and the page does not wait for the server.
 */
const completePage: Plugin = {
  name: 'complete-page',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const names = Object.values(bundle).map(({ fileName }) => fileName)
      const tags = LINKS.flatMap(({ file, attrs }) =>
        names
          .filter((name) => file.test(name))
          .map((name): HtmlTagDescriptor => ({
            tag: 'link',
            attrs: { ...attrs, crossorigin: true, href: `/${name}` },
            injectTo: 'head',
          })),
      )
      return { html: html.replace(FIRST_PAINT, hashedFirstPaint().fileName), tags }
    },
  },
  generateBundle() {
    this.emitFile({ type: 'asset', ...hashedFirstPaint() })
  },
}

const FIRST_PAINT = 'first-paint.js'

function hashedFirstPaint(): { readonly fileName: string; readonly source: string } {
  const source = readFileSync(here(`public/${FIRST_PAINT}`), 'utf8')
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
  return { fileName: `assets/first-paint-${hash}.js`, source }
}

export default defineConfig({
  root: here('.'),
  plugins: [react(), completePage],
  resolve: {
    // Its companions bring older copies, which would not see the drags of this one.
    dedupe: ['@atlaskit/pragmatic-drag-and-drop'],
    alias: {
      // It adds a style element, which the content security policy refuses. The page itself never scrolls.
      'react-remove-scroll': here('src/ui/keep-scroll.tsx'),
    },
  },
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    // A data URL of a font would break the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: 'manifest.json',
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
  server: {
    port: 5173,
    // The server accepts only requests of its own origin.
    proxy: Object.fromEntries(
      ['/api', '/files'].map((path) => [
        path,
        { target: server, changeOrigin: true, headers: { origin: server }, rewrite: (url: string) => url },
      ]),
    ),
  },
})
