/**
 * Finds the syntax tokens in the lines of a file. It reads all lines of a patch in order, because a comment may start
 * several lines earlier.
 */
import { parsePatch } from './parse-patch.ts'
import type { DiffLine } from './parse-patch.ts'
import type { Diff } from './queries.ts'
import { familyOf, tokenize } from './tokenize.ts'
import type { Token } from './tokenize.ts'

type Family = NonNullable<ReturnType<typeof familyOf>>

const known = new WeakMap<Diff, ReadonlyMap<string, readonly Token[]>>()

const keyOf = ({ sign, oldNo, newNo }: Pick<DiffLine, 'sign' | 'oldNo' | 'newNo'>): string =>
  sign === '-' ? `-${oldNo}` : `+${newNo}`

export function tokensOf(data: Diff, path: string, line: DiffLine): readonly Token[] {
  const family = familyOf(path)
  if (family === null) return [{ kind: null, text: line.text }]
  const all = known.get(data) ?? tokenizeAll(data, family)
  known.set(data, all)
  return all.get(keyOf(line)) ?? [{ kind: null, text: line.text }]
}

function tokenizeAll({ patch }: Diff, family: Family): ReadonlyMap<string, readonly Token[]> {
  const all = new Map<string, readonly Token[]>()
  for (const { lines } of parsePatch(patch ?? '')) {
    let [before, after] = [false, false]
    for (const line of lines) {
      const { tokens, inComment } = tokenize(line.text, family, line.sign === '-' ? before : after)
      if (line.sign !== '+') before = inComment
      if (line.sign !== '-') after = inComment
      all.set(keyOf(line), tokens)
    }
  }
  return all
}
