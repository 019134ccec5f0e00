import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}

const site = new URL('../../dist/web/', import.meta.url)
const read = (file: string): Buffer => readFileSync(new URL(file, site))
const manifest = JSON.parse(String(read('manifest.json'))) as Readonly<Record<string, Chunk>>

/** The entry, the program, and the board. */
const BOARD = ['index.html', 'src/app/mount.tsx', 'src/board/index.tsx']

/** Returns the files of a chunk and of all chunks that it imports. */
function filesOf(name: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  for (const imported of manifest[name]?.imports ?? []) filesOf(imported, seen)
  return seen
}

test('the JavaScript of the board is at most 300 kB', () => {
  const names = new Set(BOARD.flatMap((name) => [...filesOf(name)]))
  const files = [...names].map((name) => manifest[name]?.file ?? '').filter((file) => file.endsWith('.js'))
  expect(files.length).toBeGreaterThan(1)
  const bytes = files.reduce((sum, file) => sum + gzipSync(read(file)).length, 0)
  expect(bytes / 1000).toBeLessThanOrEqual(300)
})

test('the Markdown parser is not part of the board', () => {
  expect(BOARD.flatMap((name) => [...filesOf(name)]).join(' ')).not.toContain('markdown-parser')
})

test('the board needs few files, and the page names those that it needs first', () => {
  const page = String(read('index.html'))
  const files = new Set(BOARD.flatMap((name) => [...filesOf(name)]).map((name) => manifest[name]?.file ?? ''))
  expect(files.size).toBeLessThanOrEqual(6)
  const later = [...files].filter((file) => !page.includes(`/${file}`))
  expect(later.map((file) => file.replace(/-[\w-]{8}\.js$/, ''))).toEqual(['assets/board'])
  expect(page).toMatch(/rel="preload" as="font"/)
})

test('the page of the dashboard names no other host', () => {
  const page = String(read('index.html'))
  expect(page).not.toMatch(/(src|href)="(https?:)?\/\//)
  expect(page).not.toMatch(/<style|style=|<script>/)
})
