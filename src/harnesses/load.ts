/** One adapter alone: a supervisor has one agent, and its memory is counted. */
import type { Harness } from './harness.ts'
import type { HarnessName } from './names.ts'

const LOADERS: Readonly<Record<HarnessName, () => Promise<Harness>>> = {
  acp: async () => (await import('./acp/adapter.ts')).acpHarness,
  claude: async () => (await import('./claude.ts')).claudeHarness,
  codex: async () => (await import('./codex.ts')).codexHarness,
  command: async () => (await import('./command.ts')).commandHarness,
  gemini: async () => (await import('./gemini/adapter.ts')).geminiHarness,
  hermes: async () => (await import('./hermes/adapter.ts')).hermesHarness,
  opencode: async () => (await import('./opencode/adapter.ts')).opencodeHarness,
  shell: async () => (await import('./shell.ts')).shellHarness,
}

/** Null when this build cannot start such agents. */
export async function loadHarness(name: string): Promise<Harness | null> {
  return Object.hasOwn(LOADERS, name) ? LOADERS[name as HarnessName]() : null
}
