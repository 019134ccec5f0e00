/** Every adapter this build can start, by the name an agent file gives. */
import type { HarnessName } from './names.ts'
import type { Harness } from './harness.ts'
import { acpHarness } from './acp/adapter.ts'
import { claudeHarness } from './claude.ts'
import { codexHarness } from './codex.ts'
import { commandHarness } from './command.ts'
import { geminiHarness } from './gemini/adapter.ts'
import { hermesHarness } from './hermes/adapter.ts'
import { opencodeHarness } from './opencode/adapter.ts'
import { shellHarness } from './shell.ts'

const HARNESSES = {
  claude: claudeHarness,
  codex: codexHarness,
  gemini: geminiHarness,
  hermes: hermesHarness,
  opencode: opencodeHarness,
  acp: acpHarness,
  command: commandHarness,
  shell: shellHarness,
} satisfies Record<HarnessName, Harness>

/** What an agent starts, as it is named; null where it starts no program of its own. */
export function programName({
  harness,
  args,
}: {
  readonly harness: HarnessName
  readonly args: readonly string[]
}): string | null {
  const { needsProgram, program } = HARNESSES[harness]
  return needsProgram ? (program ?? args[0] ?? null) : null
}

export const harnessOf = ({ harness }: { readonly harness: HarnessName }): Harness => HARNESSES[harness]

/** As a run of another build may name it: null when this one cannot start such agents. */
export const harnessNamed = (name: string): Harness | null => {
  const table: Readonly<Record<string, Harness>> = HARNESSES
  return table[name] ?? null
}
