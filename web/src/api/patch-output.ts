import type { RunOutput } from '../../../src/client/index.ts'
import type { Columns } from './queries.ts'

/** Returns the board with the newest output lines of running cards. Cards without a new line stay the same objects. */
export function withOutputs(columns: Columns, outputs: ReadonlyMap<string, RunOutput>): Columns {
  let changed = false
  const next = columns.columns.map((column) => {
    if (!column.cards.some(({ run }) => run !== null && outputs.has(run.id))) return column
    const cards = column.cards.map((card) => {
      const output = card.run === null ? undefined : outputs.get(card.run.id)
      if (card.run === null || output === undefined || card.run.lastOutput === output.line) return card
      changed = true
      return { ...card, run: { ...card.run, lastOutput: output.line } }
    })
    return { ...column, cards }
  })
  return changed ? { ...columns, columns: next } : columns
}
