// Lets Node import a `.sql` file as its text, as the bundler and the test runner do.
import { readFile } from 'node:fs/promises'

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  if (!url.endsWith('.sql')) return nextLoad(url, context)
  const text = await readFile(new URL(url), 'utf8')
  return { format: 'module', source: `export default ${JSON.stringify(text)}`, shortCircuit: true }
}
