/** Formats the last line of the screen: a text field, a message, or the keys that work now. */
import { oneLine } from '../output/escape.ts'
import type { Paints } from '../render/paint.ts'
import { shortId } from '../render/short-id.ts'
import { cutTo, widthOf } from '../render/width.ts'
import { answerOf, retryOf, subjectOf } from './actions.ts'
import { showField } from './editor.ts'
import type { Editor, WatchState } from './state.ts'
import { pageOf } from './state.ts'

export interface Footer {
  readonly line: string
  /** The column of the cursor in a text field. Null means that the line has no text field. */
  readonly cursor: number | null
}

export function footerOf(state: WatchState, paints: Paints): Footer {
  const { columns } = state.size
  if (state.editor !== null) return editorLine(state.editor, columns)
  if (state.notice !== null) {
    const text = cutTo(oneLine(state.notice.text), columns)
    return { line: state.notice.kind === 'failed' ? paints.warning(text) : text, cursor: null }
  }
  if (state.trouble !== null) return { line: paints.warning(cutTo(oneLine(state.trouble), columns)), cursor: null }
  return { line: paints.faint(keysLine(state)), cursor: null }
}

function editorLine(editor: Editor, columns: number): Footer {
  const full = editor.kind === 'filter' ? '/' : `Answer ${shortId(editor.card)}: `
  const label = widthOf(full) * 2 > columns ? cutTo(full, Math.floor(columns / 2)) : full
  const { text, column } = showField(editor.field, Math.max(2, columns - widthOf(label)))
  return { line: label + text, cursor: widthOf(label) + column }
}

/** Formats the keys that fit into the line. The most important keys come first. */
function keysLine(state: WatchState): string {
  const { columns } = state.size
  let line = ''
  for (const key of keysOf(state)) {
    const longer = line === '' ? key : `${line}  ${key}`
    if (widthOf(longer) > columns) break
    line = longer
  }
  return line
}

function keysOf(state: WatchState): readonly string[] {
  if (!state.hasKeyboard) return ['Ctrl-C to quit']
  const page = pageOf(state)
  const subject = subjectOf(state)
  const acts = [...(answerOf(subject) === null ? [] : ['a answer']), ...(retryOf(subject) === null ? [] : ['r retry'])]
  const log = subject !== null && subject.hasLog && page?.kind !== 'log' ? ['l log'] : []
  if (page === null)
    return ['? keys', 'q quit', ...(subject === null ? [] : ['Enter card']), ...log, ...acts, '/ filter', 'p pause']
  const follow = page.kind === 'log' && !page.follows ? ['G follow'] : []
  return ['? keys', 'Esc back', ...follow, ...log, ...acts, ...(subject === null ? [] : ['o browser'])]
}
