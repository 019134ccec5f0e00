/** What every harness says of itself that starts a program which is told what to do. */
import type { Harness } from './harness.ts'

export const AGENT_PROGRAM = {
  nonceInEnvironment: false,
  needsProgram: true,
  readsBriefing: true,
  runsTheCard: false,
  bodyFault: () => null,
} as const satisfies Partial<Harness>
