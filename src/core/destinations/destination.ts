/** Describes where a person may move a card, as data. The dashboard and the command line write their own sentences. */
import type { Run } from '../run.ts'
import type { Task, Workspace } from '../task.ts'
import type { HasTournament } from '../tournament/tournament.ts'

/** The operations that move a card to another status. The names are the same as in the operations table. */
export type MoveOperation =
  | 'answer'
  | 'approve'
  | 'archive'
  | 'block'
  | 'complete'
  | 'promote'
  | 'reclaim'
  | 'reopen'
  | 'request-changes'
  | 'request-review'
  | 'schedule'
  | 'stop'
  | 'unarchive'
  | 'unblock'
  | 'update'

/** The text that a person gives with the move. A question `confirm` asks only for consent. */
export interface Question {
  readonly field: 'text' | 'reason' | 'summary' | 'confirm'
  readonly isRequired: boolean
}

/** An effect of a move. The same operation may have several effects. */
export type MoveEffect =
  | 'answers'
  | 'approves'
  | 'archives'
  | 'asks_review'
  | 'blocks'
  | 'completes'
  | 'completes_with_checks'
  | 'drops_parents'
  | 'gives_back'
  | 'holds'
  | 'reopens'
  | 'restores'
  | 'resumes_review'
  | 'retries'
  | 'sends_back'
  | 'starts'
  | 'stops'
  | 'waits'

export interface LegalMove {
  readonly isLegal: true
  readonly operation: MoveOperation
  readonly input: Readonly<Record<string, string | boolean>>
  readonly effect: MoveEffect
  /** The question that the person answers before the move. Null means that the move needs no text. */
  readonly asks: Question | null
  /** Whether an agent works on the card now. The move ends the run of this agent first. */
  readonly endsRun: boolean
}

/** Why no command leads to a status. */
export type Obstruction =
  | 'already_there'
  | 'archived'
  | 'blocked'
  | 'checks_while_claimed'
  | 'commands_unapproved'
  | 'deleted'
  | 'files_elsewhere'
  | 'finished'
  | 'in_review'
  | 'in_triage'
  | 'no_parents'
  | 'only_agent'
  | 'parents_open'
  | 'scheduled'
  | 'starts_by_itself'
  | 'sweeping'
  | 'triage_by_itself'
  | 'waits_for_pick'
  | 'waits_for_review'

export interface Obstructed {
  readonly isLegal: false
  readonly why: Obstruction
}

export type Destination = LegalMove | Obstructed

export type MovableCard = Pick<
  Task,
  'status' | 'archivedFrom' | 'blockKind' | 'commandsApproved' | 'deletedAt' | 'openParents' | 'resumeStatus'
> &
  HasTournament & {
    readonly id: string
    readonly workspace: Pick<Workspace, 'kind' | 'state' | 'machine'>
    /** The checks of the card. Undefined if the caller does not know them; a completion may then be refused. */
    readonly checks?: readonly string[]
  }

export interface Movable {
  readonly card: MovableCard
  /** The open run of the card. */
  readonly run: Pick<Run, 'kind' | 'fromStatus'> | null
  /** Whether the folder of a parent is being removed. */
  readonly parentSweeping?: boolean
  /**
   * Whether the card has unfinished parents that a person waived. Waived parents count again when the card is reopened.
   */
  readonly waivedParents?: number
  /** The id of the caller's machine. Null means that the caller does not know the id. */
  readonly machine?: string | null
}

interface Asked {
  readonly input?: LegalMove['input']
  readonly asks?: Question
}

export const obstructed = (why: Obstruction): Obstructed => ({ isLegal: false, why })

export const legal = (
  { card, run }: Movable,
  operation: MoveOperation,
  effect: MoveEffect,
  { input = {}, asks }: Asked = {},
): LegalMove => ({
  isLegal: true,
  operation,
  input: { task: card.id, ...input },
  effect,
  asks: asks ?? null,
  endsRun: run?.kind === 'agent',
})

export const REQUIRED = (field: Question['field']): Question => ({ field, isRequired: true })
export const OPTIONAL = (field: Question['field']): Question => ({ field, isRequired: false })
