/** Loads each verb on first use, so that a command at the terminal loads only its own verb. */
import type { AnyVerb } from '../decision.ts'
import type { VerbName } from './index.ts'

const LOADERS: { readonly [N in VerbName]: () => Promise<AnyVerb> } = {
  create: async () => (await import('./create.ts')).create,
  create_board: async () => (await import('./boards.ts')).createBoard,
  set_board: async () => (await import('./boards.ts')).setBoard,
  delete_board: async () => (await import('./boards.ts')).deleteBoard,
  specify: async () => (await import('./triage.ts')).specify,
  decompose: async () => (await import('./triage.ts')).decompose,
  assign: async () => (await import('./edit.ts')).assign,
  edit: async () => (await import('./edit.ts')).edit,
  amend: async () => (await import('./edit.ts')).amend,
  approve_commands: async () => (await import('./edit.ts')).approveCommands,
  land: async () => (await import('./land.ts')).land,
  link: async () => (await import('./link.ts')).link,
  unlink: async () => (await import('./link.ts')).unlink,
  comment: async () => (await import('./comments-and-attachments.ts')).comment,
  attach: async () => (await import('./comments-and-attachments.ts')).attach,
  detach: async () => (await import('./comments-and-attachments.ts')).detach,
  claim: async () => (await import('./claim.ts')).claim,
  claim_manual: async () => (await import('./claim.ts')).claimManual,
  explain_scratch: async () => (await import('./explain-scratch.ts')).explainScratch,
  hide_from_inbox: async () => (await import('./hide-from-inbox.ts')).hideFromInbox,
  register: async () => (await import('./register.ts')).register,
  note_worktree: async () => (await import('./note-worktree.ts')).noteWorktree,
  next_turn: async () => (await import('./next-turn.ts')).nextTurn,
  heartbeat: async () => (await import('./run-life.ts')).heartbeat,
  verdict: async () => (await import('./run-life.ts')).recordVerdict,
  checks: async () => (await import('./run-life.ts')).recordChecks,
  terminating: async () => (await import('./run-life.ts')).markTerminating,
  record_late_write: async () => (await import('./record-late-write.ts')).recordLateWrite,
  overreach: async () => (await import('./overreach.ts')).overreach,
  settle: async () => (await import('./settle.ts')).settle,
  complete: async () => (await import('./complete.ts')).complete,
  approve: async () => (await import('./complete.ts')).approve,
  block: async () => (await import('./block.ts')).block,
  unblock: async () => (await import('./block.ts')).unblock,
  request_review: async () => (await import('./review.ts')).requestReview,
  request_changes: async () => (await import('./review.ts')).requestChanges,
  reopen: async () => (await import('./reopen.ts')).reopen,
  schedule: async () => (await import('./waiting.ts')).schedule,
  wake: async () => (await import('./waiting.ts')).wake,
  promote: async () => (await import('./waiting.ts')).promote,
  hold: async () => (await import('./waiting.ts')).hold,
  release: async () => (await import('./waiting.ts')).release,
  archive: async () => (await import('./trash.ts')).archive,
  unarchive: async () => (await import('./trash.ts')).unarchive,
  delete: async () => (await import('./trash.ts')).remove,
  undelete: async () => (await import('./trash.ts')).undelete,
  purge: async () => (await import('./trash.ts')).purge,
  sweep: async () => (await import('./sweep.ts')).sweep,
  reclaim: async () => (await import('./take-back.ts')).reclaim,
  stop: async () => (await import('./take-back.ts')).stop,
  pause: async () => (await import('./capacity.ts')).pause,
  resume: async () => (await import('./capacity.ts')).resume,
  pause_account: async () => (await import('./capacity.ts')).pauseAccount,
  resume_account: async () => (await import('./capacity.ts')).resumeAccount,
  pause_burst: async () => (await import('./burst.ts')).pauseBurst,
  lead_dispatch: async () => (await import('./capacity.ts')).leadDispatch,
  leave_dispatch: async () => (await import('./capacity.ts')).leaveDispatch,
  create_token: async () => (await import('./tokens.ts')).createToken,
  revoke_token: async () => (await import('./tokens.ts')).revokeToken,
  use_token: async () => (await import('./tokens.ts')).useToken,
}

const loaded = new Map<string, AnyVerb>()

export async function loadVerb(name: VerbName): Promise<AnyVerb | undefined> {
  const known = loaded.get(name)
  if (known !== undefined) return known
  const verb = await (LOADERS as Partial<typeof LOADERS>)[name]?.()
  if (verb !== undefined) loaded.set(name, verb)
  return verb
}
