/**
 * Every harness, one line each, by the name that agent files use. Names, help and schemas come from this table. Adapters are
 * loaded on use, because a supervisor needs only one and its memory is limited.
 */
import type { Adapter, Harness, HarnessTraits } from './harness.ts'

interface HarnessRow extends HarnessTraits {
  readonly load: () => Promise<{ readonly adapter: Adapter }>
}

/** An agent that reads a briefing and reports its verdict. */
const AGENT = {
  program: null,
  readsBriefing: true,
  runsTheCard: false,
  nonceInEnvironment: false,
  onExit: 'verdict',
} as const

/** A program without the board's tools reports only by its exit code. */
const COMMAND = { ...AGENT, onExit: 'complete', fillsPlaceholders: true } as const

/** The body of the card is the program: it needs no briefing, and its exit code is the verdict. */
const SCRIPT = {
  ...AGENT,
  readsBriefing: false,
  runsTheCard: true,
  nonceInEnvironment: true,
  onExit: 'complete',
} as const

const CLAUDE_EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const

// The logs of Hermes and Claude Code begin alike. Hermes must come later in the table, so that it wins: it checks its
// log more strictly.
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

/** The program that an agent starts, as its file or its harness names it; null if it starts none. */
export function programName({ program, argsExample }: HarnessTraits, args: readonly string[]): string | null {
  return program ?? (argsExample === undefined ? null : (args[0] ?? null))
}

/**
 * Whether a CLI accepts the effort. A CLI with a list of efforts ignores any other value, and reports that only in its
 * output.
 */
export const isKnownEffort = ({ efforts }: Pick<HarnessTraits, 'efforts'>, effort: string): boolean =>
  efforts === undefined || efforts.includes(effort.toLowerCase())

/** Returns null if this build does not have the harness: another build may have started the run. */
export function loadHarness(name: HarnessName): Promise<Harness>
export function loadHarness(name: string): Promise<Harness | null>
export async function loadHarness(name: string): Promise<Harness | null> {
  if (!isHarnessName(name)) return null
  const { load, ...traits } = HARNESSES[name]
  return { ...traits, ...(await load()).adapter }
}
