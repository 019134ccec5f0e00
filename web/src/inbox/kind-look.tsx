/** The colour and the icon of each kind. */
import { Bot, CircleQuestionMark, GitBranch, KeyRound, SquareTerminal, TriangleAlert, Trophy } from 'lucide-react'
import type { ReactNode } from 'react'
import type { InboxKind } from '../../../src/core/inbox.ts'
import { StatusIcon } from '../ui/status-icon.tsx'
import type { Hue } from '../ui/status-hue.ts'

interface Look {
  readonly hue: Hue
  readonly icon: ReactNode
}

export const KIND_LOOKS: Readonly<Record<InboxKind, Look>> = {
  account: { hue: 'blocked', icon: <KeyRound /> },
  question: { hue: 'blocked', icon: <CircleQuestionMark /> },
  approval: { hue: 'blocked', icon: <SquareTerminal /> },
  review: { hue: 'review', icon: <StatusIcon status="review" /> },
  pick: { hue: 'review', icon: <Trophy /> },
  stopped: { hue: 'failed', icon: <TriangleAlert /> },
  blocked: { hue: 'blocked', icon: <StatusIcon status="blocked" /> },
  agent: { hue: 'blocked', icon: <Bot /> },
  triage: { hue: 'waiting', icon: <StatusIcon status="triage" /> },
  unlanded: { hue: 'done', icon: <GitBranch /> },
}
