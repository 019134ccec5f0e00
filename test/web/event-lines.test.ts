import { expect, test } from 'vitest'
import type { EventData, EventKind } from '../../src/core/event.ts'
import { EVENT_KINDS } from '../../src/core/event-kinds.ts'
import { seriesOf } from '../helpers/sample.ts'
import { LANGUAGES } from '../../web/src/i18n/language.ts'
import { actorLabel, eventLine } from '../../web/src/cards/event-lines.ts'
import type { EventLine } from '../../web/src/cards/event-lines.ts'

const CARD = 't_0123456789'
const PARENT = 't_9876543210'
const NOW = Date.UTC(2026, 0, 2, 12)

const FAILURE = { error: 'exit 3', failures: 2, exitCode: 3, signal: null }
const REVIEW = { reviewer: 'lee', waitedMs: 1 }
const SERIES = { series: seriesOf('a'), title: 'Report' }
const SAMPLES: { readonly [Kind in EventKind]: EventData[Kind] } = {
  amended: { result: null, summary: 'the right number' },
  approval_needed: { reason: 'script' },
  approved: { ...REVIEW, summary: 'good' },
  archived: { from: 'done' },
  assigned: { assignee: 'codex', was: null },
  attached: { filename: 'log.txt', size: 1, by: 'lee' },
  attachment_removed: { filename: 'log.txt' },
  block_loop_detected: { kind: 'transient', reason: 'no disk', recurrences: 4 },
  blocked: { kind: 'capability', reason: 'no key', from: 'running', recurrences: 1 },
  blackboard_removed: { key: 'plan', author: 'lee' },
  blackboard_written: { key: 'plan', author: 'lee', length: 3 },
  board_archived: {},
  board_changed: { fields: ['failureLimit'] },
  board_created: { name: 'web' },
  board_deleted: { name: 'web' },
  board_unarchived: {},
  changes_requested: { ...REVIEW, reason: 'no test', status: 'ready' },
  checks_failed: FAILURE,
  checks_passed: { tries: 1 },
  claim_rejected: { reason: 'parents_open', parents: [PARENT] },
  claimed: { attempt: 2, agent: 'codex', machine: 'm', phase: 'work', from: 'ready' },
  commands_approved: { hash: 'ab' },
  commented: { author: 'lee', length: 3 },
  committed: { files: 3, added: 1, removed: 1, commit: 'ab', note: null },
  completed: { summary: 'did it' },
  completion_refused: { phantomCards: [PARENT], verifiedCards: [] },
  crashed: FAILURE,
  created: { status: 'ready', assignee: null, parents: [], tenant: null },
  decomposed: { children: [PARENT], assignee: null },
  deleted: { from: 'ready' },
  demoted: { cause: 'linked', parent: PARENT },
  dependency_waited: { reason: 'needs a schema', from: 'running' },
  edited: { fields: ['title', 'body'] },
  failures_reset: {},
  gave_up: { failures: 2, limit: 2, trigger: 'crashed', error: 'exit 3' },
  heartbeat: { note: 'half way' },
  held: { reason: 'later' },
  hidden_from_inbox: { kind: 'card', name: CARD, until: null },
  intent_recorded: { verb: 'archive', reason: null },
  interrupted: { error: null },
  landed: { commit: 'ab', tip: 'ab', into: 'main', strategy: 'squash' },
  late_result: { verb: 'verdict', content: null },
  linked: { parent: PARENT, child: CARD },
  overreached: { asked: 'delete', target: null, reason: 'other_card', times: 1 },
  parent_reopened: { parent: PARENT },
  paused: { kind: 'agent', name: 'codex', reason: null, until: null },
  promoted: { cause: 'parents' },
  promoted_manual: { reason: null, forced: false, waived: [] },
  protocol_violation: FAILURE,
  rate_limited: { until: NOW, account: null },
  reclaimed: { reason: null, by: 'lee' },
  released: { status: 'ready' },
  reopened: { from: 'done', status: 'ready', reason: null },
  reordered: { above: PARENT, below: null },
  repaired: { rule: 'rank', was: 1, now: 2 },
  token_created: { id: 'a', kind: 'token', name: 'ci', scope: 'read' },
  token_revoked: { id: 'a', name: 'ci' },
  view_deleted: { name: 'urgent' },
  view_renamed: { from: 'urgent', name: 'now' },
  view_saved: { name: 'urgent', board: null },
  reprioritized: { priority: 2, was: 0 },
  respawn_guarded: { reason: 'recent_success', until: NOW },
  resumed: { kind: 'agent', name: 'codex' },
  review_requested: { reviewer: null, summary: 'ready' },
  scheduled: { at: NOW, reason: null },
  scratch_explained: { message: 'temporary' },
  series_added: { ...SERIES, schedule: 'daily 9:00', timeZone: 'UTC' },
  series_edited: { ...SERIES, fields: ['schedule'] },
  series_failed: { ...SERIES, slot: NOW, error: 'no folder' },
  series_paused: SERIES,
  series_removed: SERIES,
  series_resumed: SERIES,
  series_skipped: { ...SERIES, slot: NOW, reason: 'still_running' },
  shown_in_inbox: { kind: 'card', name: CARD },
  spawn_failed: FAILURE,
  spawned: { pid: 2 },
  pick_failed: { reason: 'no answer', attempt: 1, retryAt: null },
  pick_needed: { passed: ['t_000000000b'], out: [] },
  picked: { winner: 't_000000000b', agent: 'coder', reason: 'simpler', order: null },
  plan_failed: { reason: 'no answer', attempt: 1, retryAt: null },
  specified: { fields: ['body'] },
  stale: { error: null },
  stopped: { reason: null, by: 'lee' },
  swarm_approved: { root: PARENT, summary: 'all good' },
  swarm_created: { workers: [PARENT], verifier: PARENT, synthesizer: PARENT },
  swarm_rejected: { root: PARENT, reason: 'no test', workers: [PARENT], times: 1, limit: 2 },
  sweep_deferred: { child: PARENT },
  terminating: { reason: 'stopped' },
  termination_deferred: { reason: 'busy', pids: [2] },
  timed_out: FAILURE,
  goal_judged: { turn: 2, maxTurns: 20, answer: 'continue', reason: 'not yet', missing: ['the tests', 'the docs'] },
  turn_started: { turn: 2, cause: 'no_verdict', reason: 'no result' },
  unarchived: { status: 'done' },
  unblocked: { status: 'ready', reason: null },
  undeleted: { status: 'ready' },
  unknown_cards_mentioned: { ids: [PARENT] },
  unlinked: { parent: PARENT, child: CARD },
  verdict_recorded: { verdict: 'complete', summary: 'did it' },
  verdict_withdrawn: { verdict: 'complete', tries: 1, output: 'red' },
  workspace_abandoned: { path: null, machine: 'm' },
  workspace_kept: { reason: 'not landed' },
  workspace_swept: { snapshot: null },
  worktree_made: { path: '/w', branch: 'muster/x', base: 'ab', baseBranch: null, notes: [] },
  worktree_taken_over: { path: '/w', branch: 'muster/x', from: PARENT },
}

const event = (kind: EventKind, data: object = SAMPLES[kind], actor = 'lee') => ({
  kind,
  actor,
  taskId: CARD,
  runId: 'r_0123456789',
  // The cast is needed, because the schema of the API does not relate the data to the kind.
  data: data as Readonly<Record<string, unknown>>,
})

const textOf = ({ pieces }: EventLine): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : piece.is === 'name' ? piece.text : piece.id)).join('')

const english = (...given: Parameters<typeof event>): string =>
  textOf(eventLine(event(...given), { language: 'en', now: NOW, ownCard: 'this card' }))

test.each(LANGUAGES)('the line for each kind of event is a whole sentence in %s', (language) => {
  for (const kind of EVENT_KINDS)
    for (const actor of ['lee', 'muster:supervisor']) {
      const text = textOf(eventLine(event(kind, SAMPLES[kind], actor), { language, now: NOW }))
      expect([kind, /[{}]|undefined|null/.exec(text)?.[0] ?? 'whole']).toEqual([kind, 'whole'])
    }
})

test('a person, an agent and Muster are named without their prefixes', () => {
  expect(english('approved')).toBe('lee approved this card')
  expect(english('commented', SAMPLES.commented, 'agent:codex')).toBe('codex commented on this card')
  expect(actorLabel('muster:dispatcher')).toBe('Muster')
})

test('the data of an event selects the sentence of its line', () => {
  expect(english('created', { ...SAMPLES.created, assignee: 'codex' })).toBe('lee created this card for codex')
  expect(english('claimed', { ...SAMPLES.claimed, phase: 'review' })).toBe('codex started to review this card')
  expect(english('linked', { parent: CARD, child: PARENT })).toBe(`${PARENT} now depends on this card`)
  expect(english('committed', { ...SAMPLES.committed, files: 1 })).toBe('Muster committed 1 changed file of this card')
})

test('an event of a run without a known agent names only the card', () => {
  expect(english('completed', SAMPLES.completed, 'muster:supervisor')).toBe('This card is done')
  const line = eventLine(event('completed', SAMPLES.completed, 'muster:supervisor'), {
    language: 'en',
    now: NOW,
    ownCard: 'this card',
    agentOf: () => 'codex',
  })
  expect(textOf(line)).toBe('codex completed this card')
  expect(line).toMatchObject({ note: 'did it', tone: 'good' })
})

test('an unknown kind of event is shown by its name', () => {
  // A newer server may send an event of an unknown kind.
  expect(english('flown_away' as EventKind, {})).toBe('flown away')
})

test('the Korean particle after a name fits the name', () => {
  const korean = (actor: string) =>
    textOf(eventLine(event('approved', SAMPLES.approved, actor), { language: 'ko', now: NOW, ownCard: '이 카드' }))
  expect(korean('민수')).toBe('민수가 이 카드를 승인했습니다')
  expect(korean('영민')).toBe('영민이 이 카드를 승인했습니다')
  expect(korean('lee')).toBe('lee이(가) 이 카드를 승인했습니다')
})

test('the note of an edit lists the changed fields', () => {
  expect(eventLine(event('edited'), { language: 'en', now: NOW }).note).toBe('title, body')
})
