// Writes dist/web: the dashboard, with compressed copies of its files. src/http/site/ serves them.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = path.join(root, 'dist/web')
/** Fonts and images are already compressed. */
const isText = (/** @type {string} */ file) => /\.(css|html|js|svg)$/.test(file)
/** Smaller files fit into one packet anyway. */
const SMALL_BYTES = 1_000

/** Builds into a new folder first, so a server that starts now finds either the old or the new dashboard. */
export async function bundleWeb() {
  const unfinished = path.join(root, `dist/.web-${process.pid}`)
  mkdirSync(unfinished, { recursive: true })
  try {
    const { build } = await import('vite')
    await build({
      configFile: path.join(root, 'web/vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: unfinished },
    })
    for (const file of filesIn(unfinished)) if (isText(file)) compress(file)
    rmSync(folder, { recursive: true, force: true })
    renameSync(unfinished, folder)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** @returns {string[]} */
function filesIn(/** @type {string} */ from) {
  return readdirSync(from, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(from, name))
    .filter((file) => statSync(file).isFile())
}

function compress(/** @type {string} */ file) {
  const content = readFileSync(file)
  if (content.length < SMALL_BYTES) return
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
}
