/** Builds one row for each check of a card, with its last result. */
import type { Outputs } from '../../../../src/client/index.ts'
import type { CardDetails, CardRun } from '../card-details.ts'

export interface CheckRow {
  readonly check: string
  readonly state: 'passed' | 'failed' | 'not_run'
  /** Why the check failed, in a few words. */
  readonly fault: string | null
  readonly output: string
  readonly durationMs: number | null
  /** Whether the check comes from the agent's file and not from the card. */
  readonly isOfAgent: boolean
}

export interface CheckReport {
  readonly rows: readonly CheckRow[]
  readonly passed: number
  /** When the checks last ran. Null means never. */
  readonly at: number | null
  /** The commit that Muster made of the checked files. Null means that there is none. */
  readonly commit: string | null
}

type Checked = Pick<CardRun, 'checks' | 'endedAt' | 'changes'>
type Shown = Pick<CardDetails, 'checks' | 'agentChecks'> & { readonly runs: readonly Checked[] }
export type FreshResult = Outputs['check'][number]

/** Builds the report. `fresh` contains results of checks that a person has just run; they replace older results. */
export function checkReport({ checks, agentChecks, runs }: Shown, fresh: readonly FreshResult[] | null): CheckReport {
  // The last run whose checks really ran. A run lists the checks of its agent in advance, so only their output proves
  // that they ran.
  const last = runs.findLast((run) => run.checks !== null && run.checks.output !== null)
  const names = [...checks, ...agentChecks.filter((check) => !checks.includes(check))]
  const rows = names.map((check) => ({
    ...(freshState(fresh?.find((result) => result.check === check)) ?? stateIn(last, check)),
    check,
    isOfAgent: !checks.includes(check),
  }))
  return {
    rows,
    passed: rows.filter(({ state }) => state === 'passed').length,
    at: fresh === null ? (last?.checks?.passedAt ?? last?.endedAt ?? null) : null,
    commit: fresh === null ? (last?.changes?.commit ?? null) : null,
  }
}

type State = Omit<CheckRow, 'check' | 'isOfAgent'>

const freshState = (result: FreshResult | undefined): State | null =>
  result === undefined
    ? null
    : {
        state: result.ok ? 'passed' : 'failed',
        fault: result.fault,
        output: result.output,
        durationMs: result.durationMs,
      }

const NOTHING = { fault: null, output: '', durationMs: null } as const

function stateIn(run: Checked | undefined, check: string): State {
  if (run?.checks == null) return { state: 'not_run', ...NOTHING }
  const { passed = [], passedAt, output } = run.checks
  const part = outputOf(output ?? '', check)
  if (part !== null) return { state: 'failed', ...part, durationMs: null }
  // Whether the check passed. Older versions of Muster recorded only that all checks passed.
  const hasPassed = passed.includes(check) || (passedAt !== null && passed.length === 0)
  return { state: hasPassed ? 'passed' : 'not_run', ...NOTHING }
}

/** The report cuts longer checks to this length. */
const NAME_LENGTH = 120

/** Finds the part of the report about one check: `check failed: npm test (exit 1)`, then its output. */
function outputOf(report: string, check: string): { readonly fault: string; readonly output: string } | null {
  const name = check.length > NAME_LENGTH ? check.slice(0, NAME_LENGTH - 1) : check
  const parts = report.split(/^(?=check failed: )/m)
  const found = parts.find((part) => part.startsWith(`check failed: ${name}`))
  if (found === undefined) return null
  const [head = '', ...lines] = found.trimEnd().split('\n')
  return { fault: /\(([^()]*)\)$/.exec(head)?.[1] ?? '', output: lines.join('\n') }
}
