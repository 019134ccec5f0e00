/**
 * The settings of a machine. Each row gives the key in config.yaml, the environment variable (such as
 * `MUSTER_MACHINE_CAP`), the default and the description. The settings of a board are in the store.
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
    description: 'Maximum number of cards that run at the same time on this machine',
  },
  dispatcherLeaseMs: duration(
    15_000,
    'How long `muster up` may give no sign of life before another `muster up` on the machine takes over',
  ),
  sweepMs: duration(5_000, 'How often Muster checks its processes. It also reacts to each change at once'),
  turnEndMs: duration(30_000, 'Time for an agent to exit after it reported its result and the checks ended'),
  terminateGraceMs: duration(5_000, 'Time between asking a process to end and killing it'),
  killWaitMs: duration(5_000, 'Time for a killed process to disappear'),
  quotaWaitMs: duration(
    120_000,
    'How long a CLI may wait until a rate limit resets, before Muster stops it and pauses the account',
  ),
  sessionWaitMs: duration(120_000, 'Time for an ACP agent to open its session'),
  judgeRetryMs: duration(
    5_000,
    'How long to wait before the judge of a goal is asked again after it did not answer. Doubles with each of 3 tries',
  ),
  logMaxBytes: {
    kind: 'count',
    default: 64 * 1024 ** 2,
    min: 64 * 1024,
    description: 'Maximum size of a run log; a longer log keeps its beginning and its end',
  },
  takeOverMs: duration(10_000, 'How long a supervisor may take to end its run before Muster ends the run itself'),
  clockDoubtMs: duration(30_000, 'After a clock change or sleep, no deadline applies for this time'),
  workspaceStaysMs: duration(
    24 * 3_600_000,
    'How long the folder of a finished card is kept when no other card needs it',
  ),
  workspaceStaysBytes: {
    kind: 'count',
    default: 2 * 1024 ** 3,
    min: 0,
    description: 'Disk space for scratch folders that no card needs; the oldest are deleted first',
  },
  intentWaitMs: duration(
    15_000,
    'How long `muster stop` waits for the run to end, and `muster complete` and `approve` for the checks',
  ),
  verdictWaitMs: duration(
    17_000,
    'How long `kanban_complete` waits for the checks; after that, the agent should exit. At most 17 s',
  ),
  requestHeadersMs: duration(10_000, 'How long a client of the HTTP server may take to send the headers of a request'),
  requestBodyMs: duration(120_000, 'How long a client of the HTTP server may take to send a request'),
  requestConnections: {
    kind: 'count',
    default: 1_200,
    min: 1,
    description: 'Maximum number of open connections to the HTTP server; it closes further ones at once',
  },
  requestDrainMs: duration(5_000, 'How long `muster up` waits for open HTTP requests when it stops'),
  versionWaitMs: duration(10_000, 'How long `agents check` waits for the version of a CLI'),
} as const satisfies Record<string, OptionRow>

type OptionName = keyof typeof OPTIONS
export type OptionValues = { readonly [Name in OptionName]: number }

export const OPTION_NAMES = Object.keys(OPTIONS) as OptionName[]

export const variableOf = (name: string): string =>
  `MUSTER_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

export interface Resolved {
  readonly settings: OptionValues
  readonly warnings: readonly string[]
}

/**
 * Takes each option from the first source that sets the option. If the value is not valid, uses the default and adds a
 * warning.
 */
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
  ) as OptionValues
  return { settings, warnings }
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null
}
