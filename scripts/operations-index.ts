/** The text of src/operations/index.ts: one line for each operation file. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

interface Row {
  readonly file: string
  /** The name of the export, as in `archiveTask`. */
  readonly symbol: string
  /** The name of the operation, as in `archive`. */
  readonly name: string
}

export async function operationsIndex(folder: string): Promise<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && /= defineOperation\(/.test(readFileSync(join(folder, file), 'utf8')))
    .toSorted()
  const rows: Row[] = []
  for (const file of files) rows.push(await readOperation(folder, file))
  const byName = rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return `/** Made by \`npm run manifest\` from the operation files. A command loads its operation alone; other callers use this table. */
${rows.map(({ symbol, file }) => `import { ${symbol} } from './${file}'`).join('\n')}

export const OPERATIONS = {
${byName.map(({ name, symbol }) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}: ${symbol},`).join('\n')}
} as const
`
}

async function readOperation(folder: string, file: string): Promise<Row> {
  const exports = Object.entries((await import(join(folder, file))) as Record<string, unknown>)
  const found = exports.flatMap(([symbol, value]) => (isOperation(value) ? [{ file, symbol, name: value.name }] : []))
  const [only] = found
  if (only === undefined || found.length > 1)
    throw new Error(`src/operations/${file} exports ${found.length} operations; a file must export exactly one`)
  return only
}

const isOperation = (value: unknown): value is { readonly name: string } =>
  typeof value === 'object' && value !== null && 'name' in value && 'kind' in value && 'schemas' in value
