/**
 * Tests the functions of the tab Changes: patches, changed words, folding, the tree of files, highlighting and ticks.
 */
import { describe, expect, test } from 'vitest'
import { diffRows } from '../../web/src/card/changes/diff-rows.ts'
import type { DiffRow } from '../../web/src/card/changes/diff-rows.ts'
import { inTreeOrder, treeRows } from '../../web/src/card/changes/file-tree.ts'
import { flatItems, noteOf } from '../../web/src/card/changes/flat-items.ts'
import { changedSpans } from '../../web/src/card/changes/intraline.ts'
import { linePieces } from '../../web/src/card/changes/line-pieces.ts'
import { parsePatch } from '../../web/src/card/changes/parse-patch.ts'
import type { ChangedFile } from '../../web/src/card/changes/queries.ts'
import { familyOf, tokenize } from '../../web/src/card/changes/tokenize.ts'
import { isViewed, withViewed } from '../../web/src/card/changes/viewed.ts'

const PATCH = `diff --git a/reserve.ts b/reserve.ts
index 1..2 100644
--- a/reserve.ts
+++ b/reserve.ts
@@ -10,7 +10,7 @@ export function reserve() {
 ten
 eleven
 twelve
-  const now = Date.now()
+  const now = await tx.now()
 fourteen
 fifteen
 sixteen
@@ -40,2 +40,3 @@
 forty
 last
+added
\\ No newline at end of file
`

const shape = { view: 'unified', isWhole: false, open: new Set<number>() } as const

/** Formats a row in short form: `-13`, `+13`, ` 14`, `…9` for a gap of nine lines. */
const short = (row: DiffRow): string => {
  if (row.kind === 'gap') return `…${row.lines ?? ''}`
  if (row.kind === 'line') return `${row.line.sign}${row.line.newNo ?? row.line.oldNo}`
  return `${row.left?.oldNo ?? ''}|${row.right?.newNo ?? ''}`
}

describe('a patch', () => {
  test('a patch has line numbers before and after the change', () => {
    const [first, second] = parsePatch(PATCH)
    expect(first).toMatchObject({ oldStart: 10, newStart: 10, heading: 'export function reserve() {' })
    expect(first?.lines.slice(2, 5)).toEqual([
      { sign: ' ', text: 'twelve', oldNo: 12, newNo: 12 },
      { sign: '-', text: '  const now = Date.now()', oldNo: 13, newNo: null },
      { sign: '+', text: '  const now = await tx.now()', oldNo: null, newNo: 13 },
    ])
    expect(second?.lines.at(-1)).toEqual({ sign: '+', text: 'added', oldNo: null, newNo: 42, isUnended: true })
  })

  test('a patch shows where unchanged lines are left out, in both views', () => {
    const hunks = parsePatch(PATCH)
    expect(diffRows(hunks, shape).map(short).join(' ')).toBe('…9  10  11  12 -13 +13  14  15  16 …23  40  41 +42')
    const pairs = diffRows(hunks, { ...shape, view: 'split' }).map(short)
    expect(pairs.slice(0, 6)).toEqual(['…9', '10|10', '11|11', '12|12', '13|13', '14|14'])
    expect(pairs.at(-1)).toBe('|42')
  })

  test('a patch with all lines of the file is folded, and opens gap by gap', () => {
    const lines = Array.from({ length: 30 }, (_, at) => (at === 14 ? '-old\n+new\n' : ` line ${at}\n`)).join('')
    const hunks = parsePatch(`@@ -1,30 +1,30 @@\n${lines}`)
    const whole = { ...shape, isWhole: true }
    expect(diffRows(hunks, whole).map(short).join(' ')).toBe('…11  12  13  14 -15 +15  16  17  18 …12')
    expect(diffRows(hunks, { ...whole, open: new Set([1]) }).map(short)).toHaveLength(20)
  })
})

describe('changed words', () => {
  const marked = (before: string, after: string): readonly (readonly string[])[] => {
    const spans = changedSpans(before, after)
    return spans === null
      ? []
      : [
          spans.before.map(([from, to]) => before.slice(from, to)),
          spans.after.map(([from, to]) => after.slice(from, to)),
        ]
  }

  test('changed words are found within a line', () => {
    expect(marked('const now = Date.now()', 'const now = tx.now()')).toEqual([['Date'], ['tx']])
    expect(marked('return a', 'return a + b')).toEqual([[], [' + b']])
  })

  test('changed words are not marked in lines that have little in common', () => {
    expect(changedSpans('export const a = 1', 'throw new Error()')).toBeNull()
  })

  test('changed words and colours together split a line into pieces', () => {
    const tokens = [
      { kind: 'keyword', text: 'const' },
      { kind: null, text: ' now = 1' },
    ] as const
    expect(linePieces(tokens, [[3, 9]])).toEqual([
      { text: 'con', kind: 'keyword', isChanged: false },
      { text: 'st', kind: 'keyword', isChanged: true },
      { text: ' now', kind: null, isChanged: true },
      { text: ' = 1', kind: null, isChanged: false },
    ])
  })
})

describe('the tree of files', () => {
  const files = ['src/a/b/deep.ts', 'readme.md', 'src/a/b/other.ts', 'src/z.ts'].map((path) => ({ path }))

  test('the tree of files lists folders first, and joins folders with a single folder inside', () => {
    expect(treeRows(files).map(({ name, depth }) => `${'-'.repeat(depth)}${name}`)).toEqual([
      'src',
      '-a/b',
      '--deep.ts',
      '--other.ts',
      '-z.ts',
      'readme.md',
    ])
    expect(inTreeOrder(files).at(-1)).toEqual({ path: 'readme.md' })
  })

  test('the tree of files hides the content of a closed folder', () => {
    expect(treeRows(files, new Set(['src'])).map(({ path }) => path)).toEqual(['src', 'readme.md'])
  })
})

const file = (more: Partial<ChangedFile> = {}): ChangedFile => ({
  path: 'a.ts',
  change: 'changed',
  kind: 'file',
  wasKind: 'file',
  hash: 'abc',
  from: null,
  added: 1,
  removed: 1,
  ...more,
})

test('a file without lines shows the reason', () => {
  expect(noteOf(file())).toBeNull()
  expect(noteOf(file({ added: null, removed: null }))).toBe('binary')
  expect(noteOf(file({ kind: 'submodule' }))).toBe('submodule')
  expect(noteOf(file({ added: 0, removed: 0, change: 'added' }))).toBe('empty')
  expect(noteOf(file({ added: 0, removed: 0, change: 'renamed' }))).toBe('sameContent')
})

test('all files form one list, with lines only for open files', () => {
  const linesOf = () => ({ data: undefined, isWhole: false, hasFailed: false, openGaps: new Set<number>() })
  const files = [file(), file({ path: 'b.png', added: null, removed: null }), file({ path: 'c.ts' })]
  const items = flatItems(files, {
    view: 'unified',
    isOpen: ({ path }) => path !== 'c.ts',
    linesOf,
  })
  expect(items.map(({ kind }) => kind)).toEqual(['file', 'loading', 'file', 'note', 'file'])
})

test('a file counts as viewed only until its content changes', () => {
  const viewed = withViewed({}, file(), true)
  expect([isViewed(viewed, file()), isViewed(viewed, file({ hash: 'new' }))]).toEqual([true, false])
  expect(isViewed(withViewed(viewed, file(), false), file())).toBe(false)
})

describe('highlighting', () => {
  const kinds = (path: string, line: string, inComment = false): string => {
    const family = familyOf(path)
    if (family === null) throw new Error(`no language for ${path}`)
    const { tokens } = tokenize(line, family, inComment)
    return tokens.map(({ kind, text }) => (kind === null ? text : `<${kind} ${text}>`)).join('')
  }

  test('highlighting knows keywords, strings, numbers and comments of many languages', () => {
    expect(kinds('a.ts', "const a = 'b\\'' + call(12) // end")).toBe(
      "<keyword const> a = <string 'b\\''> + <name call>(<number 12>) <comment // end>",
    )
    expect(kinds('a.py', 'def f(): # why')).toBe('<keyword def> <name f>(): <comment # why>')
    expect(kinds('a.sql', 'SELECT 1 -- one')).toBe('<keyword SELECT> <number 1> <comment -- one>')
    expect([familyOf('notes.txt'), familyOf('Makefile') === familyOf('x.mk')]).toEqual([null, true])
  })

  test('highlighting continues a comment over several lines', () => {
    const family = familyOf('a.ts')
    if (family === null) throw new Error('no language')
    expect(tokenize('a /* begins', family).inComment).toBe(true)
    expect(tokenize('still', family, true)).toEqual({ tokens: [{ kind: 'comment', text: 'still' }], inComment: true })
    expect(kinds('a.ts', 'ends */ const b', true)).toBe('<comment ends */> <keyword const> b')
    expect(tokenize('/**/ x', family).inComment).toBe(false)
  })

  test('highlighting never loses a character', () => {
    const family = familyOf('a.ts')
    if (family === null) throw new Error('no language')
    for (const line of ['"open string', '日本語 = "字"', '\t\t}', '`a${b}`', '#!/bin/sh'])
      expect(
        tokenize(line, family)
          .tokens.map(({ text }) => text)
          .join(''),
      ).toBe(line)
  })
})
