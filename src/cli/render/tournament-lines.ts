/** The entries of a tournament, side by side, for people. */
import type { TournamentView } from '../../operations/tournaments/views.ts'
import { oneLine } from '../output/escape.ts'
import { span } from './format-values.ts'
import { rows, wrapped } from './page-layout.ts'

type Entry = TournamentView['entries'][number]

export function tournamentLines({ pick, failure, picker, entries }: TournamentView, width: number): readonly string[] {
  return [
    ...rows(
      entries.map((entry) => ({ name: `${entry.id} ${oneLine(entry.agent ?? '-')}`, text: entryText(entry) })),
      width,
    ),
    ...(pick === null ? [] : wrapped(pickText(pick), 2, width)),
    ...(pick === null && failure !== null ? wrapped(`the judge did not pick: ${oneLine(failure)}`, 2, width) : []),
    ...(pick === null && failure === null
      ? [`  ${picker === 'judge' ? 'the judge' : 'a person'} picks the winner`]
      : []),
  ]
}

function entryText({ state, status, checks, changes, costUsd, durationMs, reason, summary }: Entry): string {
  const facts = [
    state === 'playing' || state === 'out' ? `${state} (${status})` : state,
    ...(checks === null ? [] : [`checks ${checks.passed ? 'passed' : 'failed'}`]),
    ...(changes === null ? [] : [`${changes.files} files +${changes.added} −${changes.removed}`]),
    ...(costUsd === null ? [] : [`$${costUsd.toFixed(2)}`]),
    ...(durationMs === 0 ? [] : [span(durationMs)]),
  ]
  const text = reason ?? summary
  return `${facts.join(' · ')}${text === null ? '' : ` · ${oneLine(text)}`}`
}

const pickText = ({ winner, agent, by, reason }: NonNullable<TournamentView['pick']>): string =>
  `${winner} (${oneLine(agent ?? '-')}) won, picked by ${oneLine(by)}${reason === null ? '' : `: ${oneLine(reason)}`}`
