/**
 * The option table: what belongs to a machine. One row gives the key in config.yaml, the variable
 * (`MUSTER_MACHINE_CAP`), the default and its reason. What belongs to a board lives in the store.
 */
interface OptionRow {
  readonly kind: 'count' | 'duration'
  readonly default: number
  readonly min: number
  readonly description: string
}

const duration = (ms: number, description: string): OptionRow => ({
  kind: 'duration',
  default: ms,
  min: 1,
  description,
})

export const OPTIONS = {
  machineCap: {
    kind: 'count',
    default: 4,
    min: 1,
    description: 'Runs at once on this machine: a board never floods a laptop',
  },
  dispatcherLeaseMs: duration(15_000, 'How long a silent dispatcher keeps others of its machine standing by'),
  sweepMs: duration(5_000, 'How often a dispatcher looks at its processes without being asked to'),
  turnEndMs: duration(30_000, 'Time that an agent has to end its turn after its verdict'),
  terminateGraceMs: duration(5_000, 'Time between asking a process to end and insisting'),
  killWaitMs: duration(5_000, 'Time for a killed process to be gone before its run counts as unkillable'),
  quotaWaitMs: duration(
    120_000,
    'How long an agent may wait out a limit of its account by itself before it is stopped',
  ),
  sessionWaitMs: duration(120_000, 'How long an agent that is spoken with by ACP may take to open its session'),
  logMaxBytes: {
    kind: 'count',
    default: 64 * 1024 ** 2,
    min: 64 * 1024,
    description: 'Of the output of a run, the beginning and the end are kept within this: no agent fills the disk',
  },
  takeOverMs: duration(10_000, 'How long a supervisor may leave undone what was due before its dispatcher does it'),
  clockDoubtMs: duration(30_000, 'How long no deadline is judged after the clock was set or the machine slept'),
  workspaceStaysMs: duration(24 * 3_600_000, 'How long the folder of a finished card is kept after no card needs it'),
  workspaceStaysBytes: {
    kind: 'count',
    default: 2 * 1024 ** 3,
    min: 0,
    description: 'Disk space for scratch folders that no card needs; the oldest are deleted first',
  },
  intentWaitMs: duration(15_000, 'How long a verb waits for the live run it ends'),
  verdictWaitMs: duration(
    17_000,
    'How long a worker waits for its checks before it is told to end its turn; 17 s at most',
  ),
  versionWaitMs: duration(10_000, 'How long `agents check` waits for an agent CLI to say its version'),
} as const satisfies Record<string, OptionRow>

type OptionName = keyof typeof OPTIONS
export type Settings = { readonly [Name in OptionName]: number }

export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[]

export const variableOf = (name: string): string =>
  `MUSTER_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

export interface Resolved {
  readonly settings: Settings
  readonly warnings: readonly string[]
}

/** Every option from the first source that names it; a bad value counts as its default, and is said. */
export function resolveSettings(
  sources: readonly { from: (name: OptionName) => string; values: Readonly<Record<string, unknown>> }[],
): Resolved {
  const warnings: string[] = []
  const settings = Object.fromEntries(
    OPTION_NAMES.map((name) => {
      const source = sources.find(({ values }) => values[name] !== undefined && values[name] !== '')
      if (source === undefined) return [name, OPTIONS[name].default]
      const value = numberOf(source.values[name])
      if (value !== null && value >= OPTIONS[name].min) return [name, value]
      warnings.push(
        `${source.from(name)} must be a whole number of at least ${OPTIONS[name].min}; using ${OPTIONS[name].default}.`,
      )
      return [name, OPTIONS[name].default]
    }),
  ) as Settings
  return { settings, warnings }
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null
}
