// Tests that reading commands load no schemas. The schema library alone takes longer to load than everything else
// together.
import { build } from 'esbuild'
import type { Metafile } from 'esbuild'
import { expect, test } from 'vitest'

async function bundle(): Promise<Metafile['outputs']> {
  const { metafile } = await build({
    entryPoints: ['src/entries/program.ts'],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    external: ['@photostructure/sqlite', 'yaml'],
    loader: { '.sql': 'text' },
    metafile: true,
    write: false,
  })
  return metafile.outputs
}

/** Returns the source files in all chunks that these entries import statically. */
function loadedBy(outputs: Metafile['outputs'], entries: readonly string[]): string[] {
  const chunks = new Set<string>()
  const add = (name: string): void => {
    if (chunks.has(name)) return
    chunks.add(name)
    for (const { path, kind } of outputs[name]?.imports ?? [])
      if (kind === 'import-statement' && path in outputs) add(path)
  }
  for (const [name, { entryPoint }] of Object.entries(outputs)) if (entries.includes(entryPoint ?? '')) add(name)
  return [...chunks].flatMap((name) => Object.keys(outputs[name]?.inputs ?? {}))
}

const READING = {
  'cards/list': 'list-tasks',
  'cards/show': 'show-task',
  'runs/runs': 'list-runs',
  'cards/context': 'brief-task',
  'boards/stats': 'gather-stats',
  'cards/tail': 'tail-task',
  'boards/watch': 'watch-board',
}

test('reading commands load neither the schema library nor the transitions', async () => {
  const outputs = await bundle()
  for (const [command, operation] of Object.entries(READING)) {
    const files = loadedBy(outputs, [
      'src/entries/program.ts',
      `src/cli/commands/${command}.ts`,
      'src/storage/sqlite/open.ts',
    ])
    expect(files.some((file) => file.startsWith('src/operations/') && file.endsWith(`/${operation}.ts`))).toBe(true)
    expect(files.filter((file) => /node_modules\/(zod|yaml|postgres)\/|core\/transitions/.test(file))).toEqual([])
  }
  expect(loadedBy(outputs, ['src/core/transitions/create.ts']).some((file) => file.includes('node_modules/zod/'))).toBe(
    true,
  )
})

test('`create` loads no transition of another command', async () => {
  const outputs = await bundle()
  const files = loadedBy(outputs, [
    'src/entries/program.ts',
    'src/cli/commands/cards/create.ts',
    'src/storage/sqlite/open.ts',
    'src/storage/decide.ts',
    'src/core/transitions/create.ts',
  ])
  expect(files.filter((file) => /core\/transitions\/|\.schema\.ts$|schema-kit\.ts$/.test(file)).toSorted()).toEqual([
    'src/core/transitions/create.ts',
    'src/core/transitions/guards.ts',
    'src/core/transitions/load.ts',
  ])
})
