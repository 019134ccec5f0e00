/** The output of `accounts`: the agents of each account, and its pause. */
import type { AccountView } from '../../operations/agents/list-accounts.ts'
import { oneLine } from '../output/escape.ts'
import { pauseLine } from './pauses.ts'
import type { Terminal } from '../output/terminal.ts'
import type { Cell } from './tsv.ts'
import { fit, widthOf } from './width.ts'
import { wrapLine } from './wrap.ts'

const GAP = '  '
const INDENT = '    '

export const accountRow = ({ name, state, running, agents }: AccountView): readonly Cell[] => [
  name,
  state,
  running,
  agents.join(' '),
]

/** Formats the table. A text that does not fit beside an account is on the line below. */
export function accountTable(accounts: readonly AccountView[], { columns: width }: Terminal): string {
  const names = Math.max(...accounts.map(({ name }) => widthOf(oneLine(name))))
  return accounts
    .map((account) => {
      const mark = account.state === 'open' ? '●' : '○'
      const head = `${mark} ${fit(oneLine(account.name), names)}`
      const facts = [agentsOf(account), ...runningOf(account), ...pauseOf(account)]
      const line = [head, ...facts].join(GAP)
      if (widthOf(line) <= width) return line
      const below = facts.flatMap((fact) => wrapLine(fact, width - INDENT.length))
      return [head.trimEnd(), ...below.map((text) => `${INDENT}${text}`)].join('\n')
    })
    .join('\n')
}

const agentsOf = ({ agents }: AccountView): string =>
  agents.length === 0 ? '(no agents)' : agents.map(oneLine).join(', ')

const runningOf = ({ running }: AccountView): readonly string[] => (running === 0 ? [] : [`${running} running`])

function pauseOf(account: AccountView): readonly string[] {
  if (account.state === 'open') return []
  if (account.state === 'trying')
    return [account.probeRunId === null ? 'the next run tests it' : `${account.probeRunId} tests it`]
  const { name, cause, by, since, until, reason } = account
  const line = pauseLine({ kind: 'account', name, cause, by, since: since ?? 0, until, reason })
  return [`paused${line.slice(`account ${oneLine(name)}`.length)}`]
}
