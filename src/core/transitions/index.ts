import type { AnyVerb } from '../decision.ts'
import { block, unblock } from './block.ts'
import { createBoard, deleteBoard, setBoard } from './boards.ts'
import { pauseBurst } from './burst.ts'
import { leadDispatch, leaveDispatch, pause, pauseAccount, resume, resumeAccount } from './capacity.ts'
import { claim, claimManual } from './claim.ts'
import { approve, complete } from './complete.ts'
import { writeBlackboard } from './blackboard.ts'
import { createSwarm } from './create-swarm.ts'
import { create } from './create.ts'
import { amend, approveCommands, assign, edit } from './edit.ts'
import { explainScratch } from './explain-scratch.ts'
import { hideFromInbox, showInInbox } from './hide-from-inbox.ts'
import { judge } from './judge.ts'
import { land } from './land.ts'
import { link, unlink } from './link.ts'
import { recordLateWrite } from './record-late-write.ts'
import { overreach } from './overreach.ts'
import { reopen } from './reopen.ts'
import { reorder } from './reorder.ts'
import { requestChanges, requestReview } from './review.ts'
import { register } from './register.ts'
import { nextTurn } from './next-turn.ts'
import { noteWorktree } from './note-worktree.ts'
import { heartbeat, markTerminating, recordChecks, recordVerdict } from './run-life.ts'
import { runSeries, runSeriesNow } from './run-series.ts'
import { addSeries, editSeries, pauseSeries, removeSeries, resumeSeries } from './series.ts'
import { settle } from './settle.ts'
import { sweep } from './sweep.ts'
import { reclaim, stop } from './take-back.ts'
import { attach, comment, detach } from './comments-and-attachments.ts'
import { createToken, revokeToken, useToken } from './tokens.ts'
import { archive, purge, remove, unarchive, undelete } from './trash.ts'
import { followTournament } from './follow-tournament.ts'
import { beginPick, failPick, renewPick } from './pick-attempt.ts'
import { pick } from './pick.ts'
import { beginPlan, failPlan } from './plan-attempt.ts'
import { decompose, specify } from './triage.ts'
import { update } from './update.ts'
import { deleteView, renameView, saveView } from './views.ts'
import { hold, promote, release, schedule, wake } from './waiting.ts'

export const VERBS = {
  create,
  create_swarm: createSwarm,
  write_blackboard: writeBlackboard,
  create_board: createBoard,
  set_board: setBoard,
  delete_board: deleteBoard,
  specify,
  decompose,
  begin_plan: beginPlan,
  fail_plan: failPlan,
  pick,
  begin_pick: beginPick,
  fail_pick: failPick,
  renew_pick: renewPick,
  follow_tournament: followTournament,
  assign,
  edit,
  amend,
  update,
  approve_commands: approveCommands,
  land,
  link,
  unlink,
  comment,
  attach,
  detach,
  claim,
  claim_manual: claimManual,
  explain_scratch: explainScratch,
  hide_from_inbox: hideFromInbox,
  show_in_inbox: showInInbox,
  register,
  note_worktree: noteWorktree,
  next_turn: nextTurn,
  heartbeat,
  verdict: recordVerdict,
  checks: recordChecks,
  judge,
  terminating: markTerminating,
  overreach,
  record_late_write: recordLateWrite,
  settle,
  complete,
  approve,
  block,
  unblock,
  request_review: requestReview,
  request_changes: requestChanges,
  reopen,
  schedule,
  wake,
  promote,
  hold,
  reorder,
  release,
  archive,
  unarchive,
  delete: remove,
  undelete,
  purge,
  sweep,
  reclaim,
  stop,
  pause,
  resume,
  pause_account: pauseAccount,
  resume_account: resumeAccount,
  pause_burst: pauseBurst,
  lead_dispatch: leadDispatch,
  leave_dispatch: leaveDispatch,
  create_token: createToken,
  revoke_token: revokeToken,
  use_token: useToken,
  save_view: saveView,
  rename_view: renameView,
  delete_view: deleteView,
  add_series: addSeries,
  edit_series: editSeries,
  pause_series: pauseSeries,
  resume_series: resumeSeries,
  remove_series: removeSeries,
  run_series: runSeries,
  run_series_now: runSeriesNow,
} as const satisfies Record<string, AnyVerb>

export type VerbName = keyof typeof VERBS
type VerbOf<N extends VerbName> = (typeof VERBS)[N]

/** The input of a verb, in the form that callers write. */
export type VerbInput<N extends VerbName> = VerbOf<N> extends { input: { _zod: { input: infer I } } } ? I : never

/** The result of an accepted verb. */
export type VerbResult<N extends VerbName> = Extract<ReturnType<VerbOf<N>['decide']>, { ok: true }>['result']
