import { expect, it } from 'vitest'
import type { InputOf, VerbName } from '../../src/core/transitions/index.ts'
import { VERBS } from '../../src/core/transitions/index.ts'
import { attachmentOf, card, commentOf, identity, person, runOf } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { Desk } from './desk.ts'
import { shownCommands } from '../helpers/shown-commands.ts'

/** Stands wherever a caller may write words of their own. */
const WORDS = 'words'
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

const INPUTS: { readonly [N in VerbName]: InputOf<N> } = {
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

/** The input once for every place of words in it, with `bad` standing there. */
function* spoiled(input: unknown, bad: string, path = ''): Generator<readonly [path: string, input: unknown]> {
  if (typeof input === 'string' && input.includes(WORDS)) yield [path, input.replace(WORDS, bad)]
  if (typeof input !== 'object' || input === null) return
  for (const [key, value] of Object.entries(input))
    for (const [at, changed] of spoiled(value, bad, path === '' ? key : `${path}.${key}`))
      yield [at, Array.isArray(input) ? input.with(Number(key), changed) : { ...input, [key]: changed }]
}

describeStores(
  'text',
  (open) => {
    it('a NUL or half a character is refused as bad text wherever words may stand, and nothing is written', async () => {
      const desk = await Desk.open(await open())
      await desk.card('a')
      const before = await desk.store.exportAll()
      for (const verb of Object.keys(VERBS) as VerbName[])
        for (const bad of ['a\0b', '\uD800', 'x\uDC00y'])
          for (const [path, input] of spoiled(INPUTS[verb], bad)) {
            const code = await desk.refused(verb, input as never, person).catch((error: unknown) => String(error))
            expect([`${verb} ${path}`, code]).toEqual([`${verb} ${path}`, 'bad_text'])
          }
      expect(await desk.store.exportAll()).toEqual(before)
    })

    it('what was overheard of a run that ended is stored without what cannot be', async () => {
      const desk = await Desk.open(await open())
      await desk.card('a')
      const claimed = await desk.run(card('a'))
      const ending = { how: 'exited', exitCode: 1, error: 'a\0b \uD800' } as const
      await desk.settle(claimed, { ending, lastWords: '\uDC00' })
      expect(await desk.store.run(claimed.runId)).toMatchObject({ outcome: 'crashed', error: 'ab \uFFFD' })
    })

    it('everything else is kept to the letter', async () => {
      const desk = await Desk.open(await open())
      const texts = [
        '\u0001\u001f\u007f control',
        "Robert'); drop table task;--",
        '😀 👩‍👩‍👧 e\u0301 \u202e RTL \ufeff BOM',
        '   leading\r\n\ttabs\v\f   ',
        '%s %d $1 ?1 ${x} \\n \\0 \\',
        '"\'`',
        'x'.repeat(100_000),
      ]
      for (const [at, body] of texts.entries()) await desk.card(at, { body })
      const read = await Promise.all(texts.map(async (_, at) => (await desk.task(card(at))).body))
      expect(read).toEqual(texts)
    })

    it('NUL and half characters within JSON survive', async () => {
      const desk = await Desk.open(await open())
      const metadata = { 'a\0b': ['\0', '\uD800', 'ü', null, 1.5, -0, true, { deep: [] }] }
      await desk.card('a')
      await desk.ok('complete', { task: card('a'), runId: runOf('x'), metadata })
      expect((await desk.task(card('a'))).metadata).toEqual(JSON.parse(JSON.stringify(metadata)))
    })

    it('large and small numbers come back as numbers', async () => {
      const desk = await Desk.open(await open())
      const far = 8_640_000_000_000_000
      await desk.card('a', { scheduledAt: far, priority: -1_000_000, maxRuntimeMs: 3_000_000_000_000 })
      expect(await desk.task(card('a'))).toMatchObject({
        scheduledAt: far,
        dueAt: far,
        priority: -1_000_000,
        maxRuntimeMs: 3_000_000_000_000,
      })
      expect(await desk.store.nextDue()).toBe(far)
      for (const value of Object.values(await desk.task(card('a')))) expect(typeof value).not.toBe('bigint')
      expect(Object.values(await desk.store.counts('main')).every(Number.isInteger)).toBe(true)
      expect(typeof (await desk.store.now())).toBe('number')
    })
  },
  { inThread: true },
)
