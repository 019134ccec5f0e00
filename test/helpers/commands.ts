/** Generates random scripts: every verb, by allowed and forbidden actors, with valid and stale fences. */
import fc from 'fast-check'
import type { Verdict } from '../../src/core/run.ts'
import { ENDINGS } from '../../src/core/transitions/settlement/input.ts'
import type { VerbName } from '../../src/core/transitions/index.ts'
import { ASKED_BLOCK_KINDS, JUDGE_ANSWERS, STATUSES } from '../../src/core/vocabulary.ts'
import type { JudgeAnswer } from '../../src/core/vocabulary.ts'
import { DAY, HOUR, MINUTE, SECOND } from './sample.ts'
import { ACCOUNTS, AGENTS, FENCES, MACHINES, SWARM, WHO, printScript } from './script.ts'
import type { FenceOf, Step, Who } from './script.ts'

export { FakeClock, printStep, runScript } from './script.ts'
export type { Step, Trace } from './script.ts'

/** The number of cards that the first steps of a script create. Later steps create further cards. */
const BORN = 6
const CARDS = 9

const SMALL_LIMITS = {
  attemptsLimit: 6,
  protocolLimit: 2,
  blockLoopLimit: 3,
  trashMs: HOUR,
  maxRunning: 3,
  maxPerAgent: 3,
  autoDecompose: true,
  mentions: 'create',
}

/** Creates two boards, sets limits that a script can reach, and starts a dispatcher on each machine. */
export const PREAMBLE: readonly Step[] = [
  { verb: 'create_board', after: 0, by: 'person', card: 0, board: 0 },
  { verb: 'create_board', after: 0, by: 'person', card: 0, board: 1 },
  { verb: 'set_board', after: 0, by: 'person', card: 0, board: 0, settings: SMALL_LIMITS },
  { verb: 'lead_dispatch', after: 0, by: 'board', card: 0, machine: MACHINES[0] },
  { verb: 'lead_dispatch', after: 0, by: 'board', card: 0, machine: MACHINES[1] },
]

// Values of single fields

const weighted = <T>(...choices: readonly (readonly [number, fc.Arbitrary<T>])[]): fc.Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))
const mostly = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  weighted([5, fc.constant(usual)], [1, fc.constantFrom(usual, ...others)])
const rarely = weighted([15, fc.constant(false)], [1, fc.constant(true)])
const always = <T>(value: T): fc.Arbitrary<T> => fc.constant(value)

const pause = weighted(
  [6, fc.constantFrom(0, 1, SECOND)],
  [3, fc.constantFrom(10 * SECOND, MINUTE, 10 * MINUTE)],
  [1, fc.constantFrom(2 * HOUR, 25 * HOUR, 8 * DAY)],
)
const spare = fc.integer({ min: BORN, max: CARDS - 1 })
const anyCard = weighted([8, fc.integer({ min: 0, max: BORN - 1 })], [1, spare])
const fewCards = fc.uniqueArray(anyCard, { maxLength: 2 })
const spares = fc.uniqueArray(spare, { minLength: 1, maxLength: 3 })
const agent = fc.constantFrom(...AGENTS)
const machine = fc.constantFrom(...MACHINES)
const account = fc.constantFrom(...ACCOUNTS)
const reviewer = fc.constantFrom(null, 'critic')
const answer = mostly<JudgeAnswer>('continue', ...JUDGE_ANSWERS)
const text = fc.constantFrom(null, 'a word', 'see https://git.example/team/repo/pull/7 🙂')
const anyone = weighted<Who>([6, always('person')], [3, fc.constantFrom(...WHO)])
const people = mostly<Who>('person', ...WHO)
const fence = mostly<FenceOf>('current', ...FENCES)
const word = fc.constantFrom<Verdict['kind']>('complete', 'block', 'request_review', 'request_changes')
const kind = fc.constantFrom(...ASKED_BLOCK_KINDS)
const slot = fc.constantFrom('machine' as const, 'board' as const, 'agent' as const)
const board = fc.constantFrom(0, 1)
const few = (...cards: number[]): fc.Arbitrary<readonly number[]> => mostly<readonly number[]>([], cards)

type Details = { readonly [K in keyof Step]?: fc.Arbitrary<Step[K]> }

/** Generates a step of one verb. `details` generates the fields besides time, card and actor. */
const step = (verb: VerbName, details: Details = {}): fc.Arbitrary<Step> =>
  fc
    .record({ verb: always(verb), after: pause, by: anyone, card: anyCard, elsewhere: rarely, ...details })
    .map((made) => withoutBlanks(made as Step))

/** Leaves out `false`, because it has the same meaning as a missing detail. */
const withoutBlanks = (made: Step): Step =>
  Object.fromEntries(
    Object.entries(made).filter(([, value]) => value !== undefined && value !== false),
  ) as unknown as Step

const birth: Details = {
  by: mostly<Who>('person', 'orchestrator', 'worker'),
  agent: mostly<string | null>(AGENTS[0], AGENTS[1], null),
  amount: fc.constantFrom(undefined, 1, -2),
  checks: mostly(false, true),
  goal: mostly(false, true),
  directory: mostly(false, true),
  worktree: weighted<Step['worktree']>([4, always(undefined)], [1, always('own branch')], [3, always('shared branch')]),
  born: mostly('ready', 'triage', 'blocked', 'held', 'scheduled'),
  elsewhere: always(false),
}

const finish: Details = { text, flag: mostly(false, true), children: few(2), machine, from: anyCard }

/** The details of each verb, and the weight of the verb among single steps. */
const VERBS: { readonly [N in VerbName]: readonly [weight: number, details: Details] } = {
  create: [
    6,
    {
      ...birth,
      board: mostly(0, 1),
      from: anyCard,
      parents: fewCards,
      children: few(6, 7),
      flag: mostly(false, true),
      key: mostly(null, 'key-1'),
    },
  ],
  create_swarm: [
    1,
    {
      board: mostly(0, 1),
      key: mostly<string | null>(null, 'key-1', 'key-2'),
      by: people,
      amount: fc.constantFrom(null, 1, 3),
    },
  ],
  write_blackboard: [
    2,
    {
      key: mostly<string | null>(null, 'plan'),
      text,
      flag: rarely,
      other: mostly(SWARM.root, SWARM.verifier),
      card: fc.constantFrom(...SWARM.workers, 0),
      by: anyone,
    },
  ],
  create_board: [1, { board }],
  set_board: [
    2,
    {
      board,
      by: fc.constantFrom(...WHO),
      flag: rarely,
      settings: fc.constantFrom(
        {},
        { failureLimit: 1 },
        { maxRunning: null },
        { starvationMs: 60_000 },
        { starvationMs: 0 },
      ),
    },
  ],
  delete_board: [1, { board: mostly(1, 0), by: people }],
  specify: [3, { agent: fc.constantFrom(undefined, ...AGENTS) }],
  decompose: [3, { children: spares, parents: few(0), agent: always(AGENTS[0]) }],
  begin_plan: [2, { by: always('board') }],
  fail_plan: [2, { by: always('board'), amount: fc.constantFrom(1, 2) }],
  pick: [3, { by: people, amount: fc.constantFrom(0, 1, 2) }],
  begin_pick: [2, { by: always('board'), flag: mostly(true, false) }],
  renew_pick: [1, { by: always('board'), amount: fc.constantFrom(1, 2), flag: mostly(true, false) }],
  fail_pick: [2, { by: always('board'), amount: fc.constantFrom(1, 2), flag: mostly(true, false) }],
  follow_tournament: [4, { by: always('board') }],
  assign: [3, { agent: mostly<string | null>(AGENTS[0], AGENTS[1], null), from: anyCard }],
  edit: [
    3,
    {
      field: fc.constantFrom('title', 'body', 'priority', 'checks', 'maxRetries', 'goal'),
      amount: fc.constantFrom(null, 1, 3),
      text,
      checks: fc.boolean(),
      flag: mostly(false, true),
    },
  ],
  amend: [1, { text }],
  update: [
    6,
    {
      status: weighted<Step['status']>([1, always(undefined)], [6, fc.constantFrom(...STATUSES)]),
      field: fc.constantFrom(undefined, 'title', 'priority', 'checks'),
      agent: mostly<string | null | undefined>(undefined, AGENTS[0], null),
      amount: fc.constantFrom(null, 1, 3),
      key: mostly<string | null>('a reason', null),
      text: mostly<string | null>(null, 'done'),
      kind,
      machine,
      checks: fc.boolean(),
      flag: rarely,
    },
  ],
  land: [1, { text }],
  approve_commands: [2, { flag: fc.boolean() }],
  link: [6, { other: anyCard }],
  unlink: [6, { other: anyCard }],
  comment: [2, { text, children: weighted<readonly number[] | undefined>([3, always(undefined)], [1, spares]) }],
  attach: [1, {}],
  detach: [1, {}],
  claim: [
    4,
    {
      by: always('board'),
      agent: mostly<string>(...AGENTS),
      machine,
      account: fc.constantFrom(null, ...ACCOUNTS),
      amount: mostly<number | null>(null, 1),
      flag: rarely,
    },
  ],
  claim_manual: [2, {}],
  register: [2, { by: always('board'), fence, machine, flag: rarely, bound: fc.boolean() }],
  explain_scratch: [1, { by: fc.constantFrom(...WHO), machine }],
  hide_from_inbox: [2, { by: people, account, flag: fc.boolean() }],
  show_in_inbox: [2, { by: people, account, flag: fc.boolean() }],
  create_token: [1, { by: fc.constantFrom(...WHO), amount: fc.constantFrom(null, 1) }],
  revoke_token: [1, { by: fc.constantFrom(...WHO) }],
  use_token: [1, { by: fc.constantFrom('person', 'worker') }],
  save_view: [1, { by: fc.constantFrom(...WHO) }],
  rename_view: [1, { by: fc.constantFrom(...WHO) }],
  delete_view: [1, { by: fc.constantFrom(...WHO) }],
  add_series: [2, { by: people, board, agent, flag: fc.boolean() }],
  edit_series: [1, { by: people, board, flag: fc.boolean(), amount: fc.constantFrom(undefined, 1, 90) }],
  pause_series: [1, { by: people, board }],
  resume_series: [1, { by: people, board }],
  remove_series: [1, { by: people, board: mostly(0, 1) }],
  run_series: [3, { by: always('board'), board }],
  run_series_now: [1, { by: people, board }],
  note_worktree: [1, { by: always('board'), fence }],
  next_turn: [1, { by: always('board'), fence, flag: fc.boolean() }],
  heartbeat: [2, { fence, text, flag: mostly(false, true) }],
  verdict: [4, { fence, word, kind, text, agent: reviewer, children: few(1) }],
  checks: [3, { fence, flag: fc.boolean(), key: fc.constantFrom(null, 'hash-1', 'hash-2') }],
  judge: [3, { by: always('board'), fence, answer, key: mostly<string | null>(null, 'key-1') }],
  terminating: [2, { fence }],
  overreach: [1, { fence }],
  record_late_write: [1, { by: always('board'), fence, text }],
  settle: [
    6,
    {
      by: always('board'),
      fence,
      machine,
      account: fc.constantFrom(null, ...ACCOUNTS),
      how: fc.constantFrom(...ENDINGS),
      exitCode: fc.constantFrom(0, 1, 75, null),
      text,
      word: mostly<Verdict['kind'] | undefined>(undefined, 'complete', 'block', 'request_review', 'request_changes'),
      kind,
      flag: mostly(false, true),
      checks: mostly(false, true),
    },
  ],
  complete: [4, finish],
  approve: [2, finish],
  block: [3, { kind }],
  unblock: [4, { text, flag: fc.boolean() }],
  request_review: [2, { text, agent: reviewer }],
  request_changes: [2, {}],
  reopen: [3, { text }],
  schedule: [3, { amount: fc.constantFrom(null, 0, MINUTE, HOUR), from: anyCard }],
  wake: [4, { by: always('board') }],
  promote: [4, { flag: fc.boolean() }],
  hold: [1, { text }],
  release: [2, {}],
  reorder: [3, { from: weighted([1, always(undefined)], [4, anyCard]), flag: fc.boolean() }],
  archive: [2, { from: anyCard }],
  unarchive: [2, {}],
  delete: [2, { from: anyCard }],
  undelete: [2, {}],
  purge: [1, {}],
  sweep: [1, { flag: fc.boolean() }],
  reclaim: [3, { agent: fc.constantFrom(null, ...AGENTS) }],
  stop: [2, {}],
  pause: [1, { slot, machine, agent }],
  resume: [2, { slot, machine, agent }],
  pause_account: [
    1,
    { account, cause: fc.constantFrom('quota', 'auth', 'person'), amount: fc.constantFrom(null, MINUTE) },
  ],
  resume_account: [2, { account, flag: fc.boolean() }],
  pause_burst: [2, { agent, machine, flag: mostly(false, true) }],
  lead_dispatch: [3, { machine, amount: mostly<number | undefined>(undefined, 15 * SECOND), flag: fc.boolean() }],
  leave_dispatch: [1, { machine, flag: mostly(true, false) }],
}

/** Generates a random step of one verb, with some fixed details. */
const like = (verb: VerbName, details: Details = {}): fc.Arbitrary<Step> =>
  step(verb, { ...VERBS[verb][1], ...details })

const single = weighted(
  ...(Object.keys(VERBS) as VerbName[]).map((verb): [number, fc.Arbitrary<Step>] => [VERBS[verb][0], like(verb)]),
)

// The following functions generate phrases: steps that make sense together.

const maybe = (arbitrary: fc.Arbitrary<Step>, percent = 50): fc.Arbitrary<Step | null> =>
  weighted<Step | null>([percent, arbitrary], [100 - percent, always(null)])

const on = (index: number, steps: readonly (Step | null)[]): Step[] =>
  steps.filter((one) => one !== null).map((one): Step => withoutBlanks({ ...one, card: index, elsewhere: false }))

/** A command that a person may run on a running card. */
const intent = weighted<VerbName>(
  [6, fc.constantFrom('complete', 'approve', 'block', 'reclaim', 'schedule', 'stop')],
  [1, fc.constantFrom('archive', 'delete')],
).chain((verb) => like(verb, { by: always('person'), flag: fc.boolean() }))

/** Generates a run from claim to settlement. Any step between the two may be missing. */
const wholeRun = (runner: fc.Arbitrary<string>): fc.Arbitrary<(Step | null)[]> =>
  fc.tuple(
    maybe(like('wake', { after: always(HOUR) }), 60),
    like('claim', { agent: runner }),
    maybe(like('register'), 75),
    maybe(like('note_worktree')),
    maybe(like('verdict')),
    maybe(like('checks')),
    maybe(like('judge'), 30),
    maybe(fc.oneof(like('heartbeat'), like('terminating'), like('next_turn'), like('overreach')), 20),
    maybe(intent, 20),
    maybe(like('verdict'), 25),
    like('settle'),
  )

const judged = (...answers: readonly JudgeAnswer[]): fc.Arbitrary<Step> =>
  like('judge', { answer: fc.constantFrom(...answers), fence: always('current') })

/** Generates several turns towards a goal. Any step may be missing. */
const goalRun = fc
  .tuple(
    spare,
    like('create', {
      by: always('person'),
      goal: always(true),
      board: always(0),
      born: always('ready'),
      parents: few(),
    }),
    like('claim', { agent: always(AGENTS[0]) }),
    maybe(like('verdict', { word: always('complete') }), 40),
    judged('continue', 'done', 'unavailable'),
    maybe(like('next_turn', { flag: fc.boolean() }), 80),
    maybe(like('verdict', { word: always('complete') }), 60),
    maybe(intent, 20),
    maybe(judged(...JUDGE_ANSWERS), 80),
    like('settle', { how: always('exited') }),
    maybe(like('unblock', { by: people }), 50),
  )
  .map(([index, ...steps]) => on(index, steps))

/** A run of one card of the swarm. Most runs complete their card. */
const swarmRun = (index: number): fc.Arbitrary<Step[]> =>
  fc
    .tuple(
      like('claim', {
        agent: always(AGENTS[0]),
        account: always(null),
        machine: always(MACHINES[0]),
        flag: always(false),
      }),
      maybe(like('write_blackboard', { by: mostly<Who>('worker', 'former_worker') }), 20),
      maybe(
        like('verdict', {
          fence: always('current'),
          word: mostly<Verdict['kind']>('complete', index === SWARM.verifier ? 'request_changes' : 'block'),
          children: index === SWARM.verifier ? mostly<readonly number[]>([], [SWARM.workers[0]], [1]) : few(),
        }),
        90,
      ),
      like('settle', {
        fence: mostly<FenceOf>('current', 'former'),
        how: always('exited'),
        exitCode: always(0),
        flag: always(false),
        word: always(undefined),
        bound: mostly<boolean>(true, false),
      }),
    )
    .map((steps) => on(index, steps))

/** Anything that people and other cards may do to a card of the swarm. */
const swarmTrouble = fc
  .tuple(
    fc.constantFrom(SWARM.verifier, SWARM.synthesizer, ...SWARM.workers),
    fc.constantFrom<VerbName>(
      'archive',
      'unarchive',
      'delete',
      'undelete',
      'purge',
      'reopen',
      'promote',
      'unlink',
      'claim_manual',
      'unblock',
      'complete',
      'sweep',
    ),
  )
  .chain(([index, verb]) =>
    like(verb, { by: people, other: always(SWARM.verifier), after: fc.constantFrom(0, 8 * DAY) }).map((one) =>
      on(index, [one]),
    ),
  )

const swarmTurn = fc
  .tuple(
    fc.tuple(...SWARM.workers.map(swarmRun)),
    swarmRun(SWARM.verifier),
    weighted<Step[]>([2, always([])], [2, swarmTrouble]),
    swarmRun(SWARM.synthesizer),
  )
  .map((parts) => parts.flat(2))

/** Generates the life of a swarm: its workers, its verifier and its synthesizer run, in several turns. */
const swarmLife = fc
  .tuple(
    like('lead_dispatch', { machine: always(MACHINES[0]), by: always('board'), flag: always(false) }),
    like('create_swarm', { by: always('person'), board: always(0), key: always(null) }),
    fc.array(swarmTurn, { minLength: 1, maxLength: 3 }),
    maybe(like('archive', { by: always('person') }), 30),
    maybe(like('delete', { by: always('person') }), 10),
  )
  .map(([lead, made, turns, ...last]) => [lead, made, ...turns.flat(), ...on(SWARM.verifier, last)])

/**
 * Steps with which a person clears every possible obstacle to a start. Commands that do not apply are refused and
 * change nothing.
 */
const REVIVAL: readonly Step[] = (
  ['undelete', 'reopen', 'unblock', 'specify', 'release', 'approve_commands', 'promote'] as const
).map((verb) => ({ verb, after: 0, by: 'person', card: 0, flag: true, agent: AGENTS[0] }))

/** Generates several attempts at one card, sometimes followed by a review. */
const attempts = fc
  .tuple(
    anyCard,
    fc.constantFrom([], REVIVAL),
    fc.array(wholeRun(mostly<string>('coder', 'tester')), { minLength: 1, maxLength: 4 }),
    weighted<(Step | null)[]>([2, always([])], [1, wholeRun(always('critic'))]),
  )
  .map(([index, revival, runs, review]) => on(index, [...revival, ...runs.flat(), ...review]))

/** Pairs of a verb and another verb that undoes or follows it. */
const PAIRS: readonly (readonly [VerbName, VerbName])[] = [
  ['complete', 'reopen'],
  ['complete', 'amend'],
  ['complete', 'settle'],
  ['block', 'unblock'],
  ['block', 'promote'],
  ['block', 'schedule'],
  ['archive', 'unarchive'],
  ['archive', 'reopen'],
  ['archive', 'sweep'],
  ['sweep', 'sweep'],
  ['delete', 'undelete'],
  ['delete', 'purge'],
  ['hold', 'release'],
  ['schedule', 'wake'],
  ['request_review', 'approve'],
  ['request_review', 'request_changes'],
  ['attach', 'detach'],
  ['link', 'promote'],
  ['link', 'unlink'],
  ['claim_manual', 'complete'],
  ['claim_manual', 'block'],
  ['claim_manual', 'reclaim'],
  ['claim_manual', 'heartbeat'],
  ['edit', 'approve_commands'],
  ['create_token', 'revoke_token'],
  ['save_view', 'rename_view'],
  ['save_view', 'delete_view'],
  ['add_series', 'run_series'],
  ['add_series', 'edit_series'],
  ['add_series', 'remove_series'],
  ['add_series', 'run_series_now'],
  ['run_series', 'run_series'],
  ['pause_series', 'resume_series'],
  ['update', 'update'],
  ['claim_manual', 'update'],
  ['pause', 'resume'],
  ['pause_account', 'resume_account'],
]

const pair = fc
  .tuple(anyCard, anyCard, fc.constantFrom(...PAIRS))
  .chain(([index, other, [first, second]]) =>
    fc
      .tuple(
        like(first, { by: people, other: always(other) }),
        maybe(single, 40),
        like(second, { by: people, other: always(other), after: fc.constantFrom(0, 2 * HOUR) }),
      )
      .map(([one, between, two]) => [...on(index, [one]), ...(between ? [between] : []), ...on(index, [two])]),
  )

/** Repeats the same block or failure until the board stops the card. */
const loop = fc
  .tuple(anyCard, fc.constantFrom<readonly [VerbName, VerbName]>(['block', 'unblock'], ['claim', 'settle']))
  .chain(([index, [first, second]]) => {
    const by = always<Who>(first === 'claim' ? 'board' : 'person')
    const round = fc.tuple(
      like(first, { by, after: always(SECOND), kind: always('needs_input') }),
      like(second, {
        by,
        after: always(0),
        fence: always('current'),
        how: always('interrupted'),
        word: always(undefined),
      }),
    )
    return fc.array(round, { minLength: 7, maxLength: 7 }).map((rounds) => on(index, [...REVIVAL, ...rounds.flat()]))
  })

const onSharedBranch = (at: number): fc.Arbitrary<Step> =>
  like('create', {
    by: always('person'),
    agent: always(AGENTS[0]),
    board: always(at),
    born: always('ready'),
    parents: always([]),
    children: always([]),
    directory: always(false),
    worktree: always('shared branch'),
  })

/**
 * Generates steps in which a card finishes in its worktree, and then a card of the other board requests the same
 * branch.
 */
const finishedWorktree = fc
  .tuple(
    onSharedBranch(0),
    wholeRun(always(AGENTS[0])),
    like('complete', { by: always('person'), flag: always(true) }),
    onSharedBranch(1),
  )
  .map(([first, run, complete, second]) => [...on(CARDS - 1, [first, ...run, complete]), ...on(CARDS - 2, [second])])

/** Generates a failed planning attempt for a card. */
const failedPlan = fc.tuple(like('begin_plan'), like('fail_plan', { amount: always(1) }))

/** Generates steps in which a card in triage is specified or decomposed. */
const idea = fc
  .tuple(
    spare,
    like('create', { board: always(0), born: always('triage'), parents: few(0), children: always([]) }),
    fc.oneof(like('specify', { by: people }), like('decompose', { by: people }), failedPlan),
  )
  .map(([index, born, ...steps]) => on(index, [born, ...steps.flat()]))

/** Generates steps that archive and delete the second board, and create it again. */
const removal = fc.tuple(
  like('set_board', { board: always(1), by: always('person'), flag: always(true) }),
  like('delete_board', { board: always(1), by: people }),
  like('create_board', { board: always(1), by: always('person') }),
)

/** Generates a series that is paused and resumed. */
const pausedSeries = fc
  .tuple(anyCard, like('add_series'), like('pause_series', { by: people }), like('resume_series', { by: people }))
  .map(([index, ...steps]) =>
    on(
      index,
      steps.map((one) => ({ ...one, by: 'person' as const, board: 0 })),
    ),
  )

const phrase = weighted<readonly Step[]>(
  [12, single.map((one) => [one])],
  [12, attempts],
  [12, pair],
  [4, idea],
  [4, goalRun],
  [4, swarmLife],
  [2, loop],
  [4, finishedWorktree],
  [1, pausedSeries],
  [1, removal],
)

/**
 * Generates a card at the start of a script. The last card is on the second board. All other cards may have earlier
 * cards as parents.
 */
const born = (index: number): fc.Arbitrary<Step> =>
  step('create', {
    ...birth,
    card: always(index),
    board: always(index === BORN - 1 ? 1 : 0),
    parents: fc
      .uniqueArray(fc.nat({ max: BORN - 1 }), { maxLength: 2 })
      .map((parents) => (index === BORN - 1 ? [] : parents.filter((parent) => parent < index))),
  })

/** Makes a script print as one line per step, including in the report of a failing test. */
const readable = (script: readonly Step[]): readonly Step[] =>
  Object.assign([...script], { [fc.toStringMethod]: () => `\n${printScript(script)}\n` })

const whole = (length: number): fc.Arbitrary<readonly Step[]> =>
  fc
    .tuple(
      fc.tuple(...Array.from({ length: BORN }, (_, index) => maybe(born(index), 90))),
      fc.array(phrase, { minLength: 1, maxLength: length, size: 'max' }),
    )
    .map(([births, phrases]) => [...births.filter((one) => one !== null), ...phrases.flat()])

/**
 * Shrinks a script by removing steps, because the remaining steps are always a valid script. Halves are removed first,
 * then smaller and smaller parts, and at last waits and details. Removing whole phrases would be less effective.
 */
function* smaller(script: readonly Step[]): Generator<readonly Step[]> {
  const steps = script.slice(PREAMBLE.length)
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < steps.length; at += size) yield [...steps.slice(0, at), ...steps.slice(at + size)]
  for (const [at, one] of steps.entries())
    for (const simpler of simplified(one)) yield steps.map((other, place) => (place === at ? simpler : other))
}

function* simplified(one: Step): Generator<Step> {
  if (one.after > 0) yield { ...one, after: 0 }
  const needed = ['verb', 'after', 'by', 'card']
  for (const name of Object.keys(one)) if (!needed.includes(name)) yield withoutBlanks({ ...one, [name]: undefined })
}

class Scripts extends fc.Arbitrary<readonly Step[]> {
  readonly #source: fc.Arbitrary<readonly Step[]>

  constructor(source: fc.Arbitrary<readonly Step[]>) {
    super()
    this.#source = source
  }

  override generate(random: fc.Random, bias: number | undefined): fc.Value<readonly Step[]> {
    return asValue(this.#source.generate(random, bias).value)
  }

  override canShrinkWithoutContext(value: unknown): value is readonly Step[] {
    return Array.isArray(value)
  }

  override shrink(value: readonly Step[]): fc.Stream<fc.Value<readonly Step[]>> {
    return fc.stream(smaller(value)).map(asValue)
  }
}

const asValue = (steps: readonly Step[]): fc.Value<readonly Step[]> =>
  new fc.Value(readable([...PREAMBLE, ...steps]), undefined)

/** Generates random scripts. `length` limits the number of phrases. */
export const scripts = (length = 24): fc.Arbitrary<readonly Step[]> => new Scripts(whole(length))
