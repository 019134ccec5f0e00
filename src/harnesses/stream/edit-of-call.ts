/** Finds the change that a call makes to a file, as far as the input of the call shows the change. */
import { diffLists } from '../../core/diff-lists.ts'
import { cut } from '../../core/text.ts'
import { asList, asObject, asText } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'
import type { TextEdit } from './entry.ts'

export interface ShownEdit {
  readonly path: string
  readonly added: number
  readonly removed: number
  readonly lines: readonly { readonly sign: ' ' | '-' | '+'; readonly text: string }[]
  readonly isWhole: boolean
}

const LINES_MAX = 40
const LINE_LENGTH = 400
/** The number of unchanged lines that are shown before and after a change. */
const CONTEXT = 2

const PATHS = ['file_path', 'filePath', 'absolute_path', 'notebook_path', 'path']
const BEFORE = ['old_string', 'oldString', 'old_str', 'oldText']
const AFTER = ['new_string', 'newString', 'new_str', 'newText', 'content', 'file_text', 'new_source']

const firstText = (fields: Fields, names: readonly string[]): string | null =>
  names.map((name) => asText(fields[name])).find((text) => text !== null) ?? null

/** Returns the edit of a call. Returns null if the input has no path or no text. */
export function editOfCall(input: unknown): ShownEdit | null {
  const fields = asObject(input)
  const path = fields === null ? null : firstText(fields, PATHS)
  if (fields === null || path === null) return null
  const edits = [fields, ...asList(fields['edits']).map((edit) => asObject(edit) ?? {})].flatMap(textEditIn)
  return edits.length === 0 ? null : showEdits(path, edits)
}

function textEditIn(fields: Fields): readonly TextEdit[] {
  const [before, after] = [firstText(fields, BEFORE), firstText(fields, AFTER)]
  return after === null ? [] : [{ before: before ?? '', after }]
}

export function showEdits(path: string, edits: readonly TextEdit[]): ShownEdit {
  const steps = edits.flatMap(({ before, after }) => diffLists(linesOf(before), linesOf(after)))
  const near = steps.filter((_, at) =>
    steps.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ sign }) => sign !== ' '),
  )
  return {
    path,
    added: steps.filter(({ sign }) => sign === '+').length,
    removed: steps.filter(({ sign }) => sign === '-').length,
    lines: near.slice(0, LINES_MAX).map(({ sign, item }) => ({ sign, text: cut(item, LINE_LENGTH) })),
    isWhole: near.length <= LINES_MAX && near.every(({ item }) => item.length <= LINE_LENGTH),
  }
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
