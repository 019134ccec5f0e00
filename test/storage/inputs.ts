/** A valid input of every verb. A new verb does not compile without one. */
import type { VerbInput, VerbName } from '../../src/core/transitions/index.ts'
import { attachmentOf, card, commentOf, identity, runOf } from '../helpers/sample.ts'
import { shownCommands } from '../helpers/shown-commands.ts'

/** The value that every free-text field of the inputs has. */
export const FREE_TEXT = 'words'
const task = card('a')
const runId = runOf('r')
const fence = { runId, tokenHash: FREE_TEXT }
const identityWithText = {
  ...identity(),
  machine: FREE_TEXT,
  bootId: FREE_TEXT,
  pidNamespace: FREE_TEXT,
  startTime: FREE_TEXT,
}
const file = {
  id: attachmentOf('a'),
  taskId: task,
  filename: FREE_TEXT,
  storedPath: FREE_TEXT,
  contentType: FREE_TEXT,
  size: 1,
  sha256: FREE_TEXT,
}
const handOff = { summary: FREE_TEXT, result: FREE_TEXT }
const aCard = {
  id: card('n'),
  title: FREE_TEXT,
  body: FREE_TEXT,
  assignee: FREE_TEXT,
  tenant: FREE_TEXT,
  session: FREE_TEXT,
  workflow: FREE_TEXT,
  step: FREE_TEXT,
  idempotencyKey: FREE_TEXT,
  skills: [FREE_TEXT],
  model: FREE_TEXT,
  provider: FREE_TEXT,
  effort: FREE_TEXT,
  reviewer: FREE_TEXT,
  goal: { maxTurns: 1, judge: FREE_TEXT },
  checks: [FREE_TEXT],
}
const worktree = { kind: 'worktree', repo: `/${FREE_TEXT}` } as const
const directory = { kind: 'dir', path: `/${FREE_TEXT}` } as const
const reason = FREE_TEXT
const answer = { id: commentOf(1), text: FREE_TEXT }

export const INPUTS: { readonly [N in VerbName]: VerbInput<N> } = {
  create: {
    cards: [
      { ...aCard, branch: FREE_TEXT, workspace: worktree },
      { id: card('m'), title: 'elsewhere', workspace: directory },
    ],
  },
  create_board: { slug: 'main', name: FREE_TEXT, description: FREE_TEXT },
  set_board: {
    name: FREE_TEXT,
    description: FREE_TEXT,
    settings: {
      defaultAssignee: FREE_TEXT,
      reviewer: FREE_TEXT,
      reviewSkills: [FREE_TEXT],
      defaultDirectory: `/${FREE_TEXT}`,
    },
  },
  delete_board: {},
  specify: { task, title: FREE_TEXT, body: FREE_TEXT, assignee: FREE_TEXT },
  decompose: { task, assignee: FREE_TEXT, cards: [{ ...aCard, idempotencyKey: null }] },
  assign: { task, assignee: FREE_TEXT },
  edit: {
    task,
    set: {
      title: FREE_TEXT,
      body: FREE_TEXT,
      tenant: FREE_TEXT,
      branch: FREE_TEXT,
      skills: [FREE_TEXT],
      checks: [FREE_TEXT],
    },
  },
  land: { task, commit: FREE_TEXT, tip: FREE_TEXT, into: FREE_TEXT, strategy: 'merge' },
  amend: { task, result: FREE_TEXT, summary: FREE_TEXT },
  approve_commands: {
    task,
    hash: FREE_TEXT,
    shown: shownCommands({ body: FREE_TEXT, checks: [FREE_TEXT], assignee: FREE_TEXT }),
  },
  link: { parent: task, child: card('b') },
  unlink: { parent: task, child: card('b') },
  comment: { task, id: commentOf('a'), body: FREE_TEXT },
  attach: file,
  detach: { task, id: attachmentOf('a'), reason },
  claim: {
    task,
    runId,
    tokenHash: FREE_TEXT,
    agent: FREE_TEXT,
    account: FREE_TEXT,
    machine: FREE_TEXT,
    dispatcher: identityWithText,
    dispatcherTokenHash: FREE_TEXT,
    libVersion: FREE_TEXT,
  },
  claim_manual: { task, runId },
  register: {
    task,
    fence,
    identity: identityWithText,
    logPath: FREE_TEXT,
    socketPath: FREE_TEXT,
    workspacePath: FREE_TEXT,
  },
  explain_scratch: { task, install: FREE_TEXT },
  create_token: { id: 'k_0000000000', kind: 'token', name: FREE_TEXT, scope: 'read', hash: '0'.repeat(64) },
  revoke_token: { id: 'k_0000000000', name: FREE_TEXT },
  use_token: { id: 'k_0000000000' },
  hide_from_inbox: { item: { kind: 'account', name: FREE_TEXT } },
  note_worktree: {
    task,
    fence,
    path: `/${FREE_TEXT}`,
    branch: FREE_TEXT,
    base: FREE_TEXT,
    baseBranch: FREE_TEXT,
    notes: [FREE_TEXT],
  },
  next_turn: { task, fence, turn: 2, cause: 'no_verdict', left: 1 },
  heartbeat: { task, fence, note: FREE_TEXT },
  verdict: { task, fence, verdict: { kind: 'complete', ...handOff, artifacts: [FREE_TEXT] } },
  checks: { task, fence, passed: true, contentHash: FREE_TEXT, output: FREE_TEXT },
  terminating: { task, fence, reason },
  record_late_write: { task, runId, verb: FREE_TEXT, content: { amount: 1 } },
  overreach: { task, fence, asked: FREE_TEXT, target: FREE_TEXT, reason, times: 1 },
  settle: {
    task,
    runId,
    by: { fence },
    ending: { how: 'exited', signal: FREE_TEXT },
    verdict: { kind: 'block', reason, blockKind: 'transient', summary: FREE_TEXT },
    account: FREE_TEXT,
    attachments: [{ ...file, board: 'main', uploadedBy: FREE_TEXT, runId, createdAt: 1 }],
  },
  complete: { task, runId, ...handOff, force: FREE_TEXT, checker: { tokenHash: FREE_TEXT, machine: FREE_TEXT } },
  approve: { task, runId, ...handOff, force: FREE_TEXT },
  block: { task, runId, reason },
  unblock: { task, answer },
  request_review: { task, runId, summary: FREE_TEXT, reviewer: FREE_TEXT },
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
  reclaim: { task, reason, assignee: FREE_TEXT },
  stop: { task, reason },
  pause: { kind: 'agent', name: FREE_TEXT, reason },
  resume: { kind: 'agent', name: FREE_TEXT },
  pause_account: { account: FREE_TEXT, cause: 'auth', reason },
  resume_account: { account: FREE_TEXT },
  pause_burst: { agent: FREE_TEXT, machine: FREE_TEXT, dispatcherTokenHash: FREE_TEXT, reason, crashes: [] },
  lead_dispatch: {
    machine: FREE_TEXT,
    tokenHash: FREE_TEXT,
    identity: identityWithText,
    leaseMs: 1,
    deadHolder: FREE_TEXT,
  },
  leave_dispatch: { machine: FREE_TEXT, tokenHash: FREE_TEXT },
}
