/** Every adapter this build can start, by the name an agent file gives. */
import type { Harness } from '../harness.ts'
import { commandHarness } from './command.ts'
import { shellHarness } from './shell.ts'

const HARNESSES: Readonly<Record<string, Harness>> = { command: commandHarness, shell: shellHarness }

/** Null when this build cannot start such agents. */
export const harnessNamed = (name: string): Harness | null => HARNESSES[name] ?? null
