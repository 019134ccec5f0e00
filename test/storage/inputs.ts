/** A valid input of every verb. A new verb does not compile without one. */
import type { InputOf, VerbName } from '../../src/core/transitions/index.ts'
import { attachmentOf, card, commentOf, identity, runOf } from '../helpers/sample.ts'
import { shownCommands } from '../helpers/shown-commands.ts'

/** Stands wherever a caller may write words of their own. */
export const WORDS = 'words'
const task = card('a')
const runId = runOf('r')
const fence = { runId, tokenHash: WORDS }
const spoken = { ...identity(), machine: WORDS, bootId: WORDS, pidNamespace: WORDS, startTime: WORDS }
const file = {
  id: attachmentOf('a'),
  taskId: task,
  filename: WORDS,
  storedPath: WORDS,
  contentType: WORDS,
  size: 1,
  sha256: WORDS,
}
const handOff = { summary: WORDS, result: WORDS }
const aCard = {
  id: card('n'),
  title: WORDS,
  body: WORDS,
  assignee: WORDS,
  tenant: WORDS,
  session: WORDS,
  workflow: WORDS,
  step: WORDS,
  idempotencyKey: WORDS,
  skills: [WORDS],
  model: WORDS,
  provider: WORDS,
  effort: WORDS,
  reviewer: WORDS,
  goal: { maxTurns: 1, judge: WORDS },
  checks: [WORDS],
}
const worktree = { kind: 'worktree', repo: `/${WORDS}` } as const
const directory = { kind: 'dir', path: `/${WORDS}` } as const
const reason = WORDS
const answer = { id: commentOf(1), text: WORDS }

export const INPUTS: { readonly [N in VerbName]: InputOf<N> } = {
  create: {
    cards: [
      { ...aCard, branch: WORDS, workspace: worktree },
      { id: card('m'), title: 'elsewhere', workspace: directory },
    ],
  },
  create_board: { slug: 'main', name: WORDS, description: WORDS },
  set_board: {
    name: WORDS,
    description: WORDS,
    settings: { defaultAssignee: WORDS, reviewer: WORDS, reviewSkills: [WORDS], defaultDirectory: `/${WORDS}` },
  },
  delete_board: {},
  specify: { task, title: WORDS, body: WORDS, assignee: WORDS },
  decompose: { task, assignee: WORDS, cards: [{ ...aCard, idempotencyKey: null }] },
  assign: { task, assignee: WORDS },
  edit: { task, set: { title: WORDS, body: WORDS, tenant: WORDS, branch: WORDS, skills: [WORDS], checks: [WORDS] } },
  land: { task, commit: WORDS, tip: WORDS, into: WORDS, strategy: 'merge' },
  amend: { task, result: WORDS, summary: WORDS },
  approve_commands: { task, hash: WORDS, shown: shownCommands({ body: WORDS, checks: [WORDS], assignee: WORDS }) },
  link: { parent: task, child: card('b') },
  unlink: { parent: task, child: card('b') },
  comment: { task, id: commentOf('a'), body: WORDS },
  attach: file,
  detach: { task, id: attachmentOf('a'), reason },
  claim: {
    task,
    runId,
    tokenHash: WORDS,
    agent: WORDS,
    account: WORDS,
    machine: WORDS,
    dispatcher: spoken,
    dispatcherTokenHash: WORDS,
    libVersion: WORDS,
  },
  claim_manual: { task, runId },
  register: { task, fence, identity: spoken, logPath: WORDS, socketPath: WORDS, workspacePath: WORDS },
  explain_scratch: { task, install: WORDS },
  note_worktree: { task, fence, path: `/${WORDS}`, branch: WORDS, base: WORDS, baseBranch: WORDS, notes: [WORDS] },
  next_turn: { task, fence, turn: 2, cause: 'no_verdict', left: 1 },
  heartbeat: { task, fence, note: WORDS },
  verdict: { task, fence, verdict: { kind: 'complete', ...handOff, artifacts: [WORDS] } },
  checks: { task, fence, passed: true, contentHash: WORDS, output: WORDS },
  terminating: { task, fence, reason },
  record_late_write: { task, runId, verb: WORDS, content: { amount: 1 } },
  overreach: { task, fence, asked: WORDS, target: WORDS, reason, times: 1 },
  settle: {
    task,
    runId,
    by: { fence },
    ending: { how: 'exited', signal: WORDS },
    verdict: { kind: 'block', reason, blockKind: 'transient', summary: WORDS },
    account: WORDS,
    attachments: [{ ...file, board: 'main', uploadedBy: WORDS, runId, createdAt: 1 }],
  },
  complete: { task, runId, ...handOff, force: WORDS, checker: { tokenHash: WORDS, machine: WORDS } },
  approve: { task, runId, ...handOff, force: WORDS },
  block: { task, runId, reason },
  unblock: { task, answer },
  request_review: { task, runId, summary: WORDS, reviewer: WORDS },
  request_changes: { task, runId, reason },
  reopen: { task, answer },
  schedule: { task, reason },
  wake: { task },
  promote: { task, answer },
  hold: { task, reason },
  release: { task },
  archive: { task, reason },
  unarchive: { task, reason },
  delete: { task, reason },
  undelete: { task, reason },
  purge: { task },
  sweep: { task, stage: 'begin' },
  reclaim: { task, reason, assignee: WORDS },
  stop: { task, reason },
  pause: { kind: 'agent', name: WORDS, reason },
  resume: { kind: 'agent', name: WORDS },
  pause_account: { account: WORDS, cause: 'auth', reason },
  resume_account: { account: WORDS },
  pause_burst: { agent: WORDS, machine: WORDS, dispatcherTokenHash: WORDS, reason, crashes: [] },
  lead_dispatch: { machine: WORDS, tokenHash: WORDS, identity: spoken, leaseMs: 1, deadHolder: WORDS },
  leave_dispatch: { machine: WORDS, tokenHash: WORDS },
}
