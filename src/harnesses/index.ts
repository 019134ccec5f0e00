/**
 * Every harness, by the name that agent files use. Names, help and schemas come from this table. An adapter is loaded
 * when it is used, because a supervisor needs only one adapter and has little memory.
 */
import type { Adapter, Harness, HarnessTraits } from './harness.ts'

interface HarnessRow extends HarnessTraits {
  readonly load: () => Promise<{ readonly adapter: Adapter }>
}

/** The traits of an agent that reads a briefing and reports its verdict. */
const AGENT = {
  program: null,
  readsBriefing: true,
  runsTheCard: false,
  nonceInEnvironment: false,
  onExit: 'verdict',
} as const

/** The traits of a program without the board's tools. It reports only by its exit code. */
const COMMAND = { ...AGENT, onExit: 'complete', fillsPlaceholders: true } as const

/**
 * The traits of a script. The body of the card is the program, so it needs no briefing. The exit code is the verdict.
 */
const SCRIPT = {
  ...AGENT,
  readsBriefing: false,
  runsTheCard: true,
  nonceInEnvironment: true,
  onExit: 'complete',
} as const

const CLAUDE_EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const

// The table of harnesses. The logs of Hermes and Claude Code begin alike. Hermes must be later in the table to be
// chosen for its own logs, because its parser is stricter.
const HARNESSES = {
  claude: { ...AGENT, program: 'claude', efforts: CLAUDE_EFFORTS, load: () => import('./claude.ts') },
  codex: { ...AGENT, program: 'codex', load: () => import('./codex.ts') },
  opencode: { ...AGENT, program: 'opencode', needsProvider: true, load: () => import('./opencode/adapter.ts') },
  gemini: { ...AGENT, program: 'gemini', load: () => import('./gemini/adapter.ts') },
  hermes: { ...AGENT, program: 'hermes', load: () => import('./hermes/adapter.ts') },
  acp: { ...AGENT, argsExample: '[opencode, acp]', load: () => import('./acp/adapter.ts') },
  command: { ...COMMAND, argsExample: '[make, "{task}"]', load: () => import('./command.ts') },
  shell: { ...SCRIPT, load: () => import('./shell.ts') },
} satisfies Record<string, HarnessRow>

export type HarnessName = keyof typeof HARNESSES

export const HARNESS_NAMES = Object.keys(HARNESSES) as readonly HarnessName[]

export const isHarnessName = (name: string): name is HarnessName => Object.hasOwn(HARNESSES, name)

export const harnessOf = ({ harness }: { readonly harness: HarnessName }): HarnessTraits => HARNESSES[harness]

/** The program that an agent starts. Null means that it starts no program. */
export function programName({ program, argsExample }: HarnessTraits, args: readonly string[]): string | null {
  return program ?? (argsExample === undefined ? null : (args[0] ?? null))
}

/**
 * Whether a CLI accepts the effort. A CLI with a list of efforts ignores any other value, and mentions this only in its
 * output.
 */
export const isKnownEffort = ({ efforts }: Pick<HarnessTraits, 'efforts'>, effort: string): boolean =>
  efforts === undefined || efforts.includes(effort.toLowerCase())

/**
 * Loads a harness. Returns null if this build does not have the harness, because another build may have started the
 * run.
 */
export function loadHarness(name: HarnessName): Promise<Harness>
export function loadHarness(name: string): Promise<Harness | null>
export async function loadHarness(name: string): Promise<Harness | null> {
  if (!isHarnessName(name)) return null
  const { load, ...traits } = HARNESSES[name]
  return { ...traits, ...(await load()).adapter }
}
