import { CircleCheck, CircleHelp, CirclePlay, Clock, KeyRound, PackageX, Pause, TriangleAlert } from 'lucide-react'
import type { AgentState } from './agent-state.ts'

const ICONS = {
  unknown: CircleHelp,
  missing: PackageX,
  broken: TriangleAlert,
  account_stopped: KeyRound,
  account_waits: Clock,
  account_tried: Clock,
  paused: Pause,
  running: CirclePlay,
  ready: CircleCheck,
} as const satisfies Readonly<Record<AgentState, unknown>>

export function StateIcon({ state }: { readonly state: AgentState }) {
  const Icon = ICONS[state]
  return <Icon />
}
