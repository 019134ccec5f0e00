// Writes dist/client, the package `muster-board/client`: one ES module for Node and browsers, and its types.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as esbuild from 'esbuild'
import { root, SetupError } from './setup.mjs'
import { runTool } from './run-tool.mjs'

const folder = path.join(root, 'dist/client')

export async function bundleClient() {
  mkdirSync(folder, { recursive: true })
  // The client is an ES module, but the program in the folder above it is CommonJS.
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }\n')
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['src/client/index.ts'],
    outfile: path.join(folder, 'index.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'warning',
  })
  // These types need no types of Node, so the compiler also checks that the client works in a browser.
  const { code, output } = await runTool('typescript:tsc', ['-p', 'src/client/tsconfig.json'])
  if (code !== 0) throw new SetupError(`The types of the client cannot be built:\n${output}`)
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.d.ts')))
    useBuiltNames(path.join(folder, name))
}

/** Types name each other by the files that a package contains. */
function useBuiltNames(/** @type {string} */ file) {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
}
