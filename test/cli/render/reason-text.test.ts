// Tests the sentences of reasons, and the command lines of their remedies.
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { findCommand } from '../../../src/cli/find-command.ts'
import { MANIFEST } from '../../../src/cli/manifest.ts'
import { readValues, splitFor } from '../../../src/cli/parse.ts'
import { reasonSentence, wayOut } from '../../../src/cli/render/reason-text.ts'
import { localTime } from '../../../src/cli/render/format-values.ts'
import { remedyLine } from '../../../src/cli/render/remedy-line.ts'
import type { CliCommand } from '../../../src/cli/command.ts'
import { REASON_CODES, REMEDY_OPERATIONS, obstacle } from '../../../src/core/reasons/reason.ts'
import type { Obstacle, Remedy } from '../../../src/core/reasons/reason.ts'
import { withRemedies } from '../../../src/core/reasons/remedies.ts'
import type { Task } from '../../../src/core/task.ts'
import { HOUR, NOON, card, runOf, sampleTask } from '../../helpers/sample.ts'

const about = (role: 'assignee' | 'default_assignee' | 'reviewer') => ({ agent: 'coder', role })
const run = {
  id: runOf('a'),
  attempt: 2,
  phase: 'review',
  kind: 'agent',
  by: 'coder',
  startedAt: NOON,
  insteadOf: null,
  goal: null,
} as const
const parent = { id: card('p'), title: 'Parent', status: 'running' } as const
const id = card(0)

/** Every reason, with the status of its card, its sentence, and the text about its end. */
const EXAMPLES: readonly (readonly [Obstacle, Task['status'], RegExp | string, RegExp | string])[] = [
  [obstacle('deleted', {}), 'ready', 'The card is in the trash.', `muster undelete ${id}`],
  [obstacle('finished', { status: 'done' }), 'done', 'The card is done.', `muster reopen ${id}`],
  [
    obstacle('running', { run, ending: null }),
    'running',
    /^Running since .*: attempt 2 \(review\) by coder, run r_\w+\.$/,
    `The run ends when its agent finishes. To cancel: muster stop ${id}`,
  ],
  [
    obstacle('running', { run: { ...run, phase: 'work', by: 'backup', insteadOf: 'coder' }, ending: null }),
    'running',
    /: attempt 2 by backup \(fallback of coder\), run r_\w+\.$/,
    `The run ends when its agent finishes. To cancel: muster stop ${id}`,
  ],
  [
    obstacle('running', {
      run: { ...run, phase: 'work', goal: { turn: 3, maxTurns: 20, missing: ['the tests', 'the docs'] } },
      ending: null,
    }),
    'running',
    /, run r_\w+, turn 3 of 20\. Missing: the tests; the docs\.$/,
    `The run ends when its agent finishes. To cancel: muster stop ${id}`,
  ],
  [
    obstacle('goal_unsupported', { agent: 'shell' }),
    'ready',
    'Agent shell ends its card when its program exits, so it cannot work towards a goal in turns.',
    `muster assign ${id} '…'`,
  ],
  [
    obstacle('running', { run, ending: { verb: 'complete', by: 'ada' } }),
    'running',
    /^Running since/,
    'The run is ending: ada asked for complete',
  ],
  [
    obstacle('running', { run: { ...run, kind: 'manual', by: 'ada' }, ending: null }),
    'running',
    /by ada/,
    `ada is working on it. To end it: muster complete ${id}, or muster reclaim ${id}`,
  ],
  [obstacle('triage', {}), 'triage', 'The card is in triage: its task is not clear yet.', `muster promote ${id}`],
  [
    obstacle('plan_failed', { failure: 'no answer.', attempts: 5 }),
    'triage',
    'Tried 5 times to plan the card: no answer.',
    `muster promote ${id}`,
  ],
  [
    obstacle('block_loop', { kind: 'needs_input', times: 4, question: 'Which port?', by: 'agent:coder' }),
    'triage',
    'Blocked 4 times for the same reason (needs_input), so the card is in triage. Last time by agent:coder: Which port?',
    `muster promote ${id} --reason '…'`,
  ],
  [
    obstacle('blocked', { kind: 'needs_input', reason: 'Which port?', by: 'ada' }),
    'blocked',
    'Blocked (needs_input) by ada: Which port?',
    `muster answer ${id} '…'`,
  ],
  [
    obstacle('blocked', { kind: 'capability', reason: 'No network', by: 'ada' }),
    'blocked',
    'Blocked (capability) by ada: No network',
    `muster unblock ${id} --reason '…'`,
  ],
  [
    obstacle('breaker_open', { failures: 1, error: 'exit 3', reason: null }),
    'blocked',
    'Stopped after 1 failed attempt. Last error: exit 3',
    `muster unblock ${id}`,
  ],
  [
    obstacle('attempts_spent', { error: 'exit 3', reason: '20 attempts without success' }),
    'blocked',
    'Stopped: 20 attempts without success. Last error: exit 3',
    /^muster unblock/,
  ],
  [
    obstacle('rejected_too_often', { times: 2, reason: 'The numbers are missing' }),
    'blocked',
    'Requested changes 2 times in a row: The numbers are missing',
    `muster complete ${id}, or muster unblock ${id}`,
  ],
  [
    obstacle('not_approved', {
      verifier: { id: card('v'), status: 'archived', deleted: false, restorable: true },
    }),
    'ready',
    `Waits for the approval of ${card('v')}, which is archived.`,
    `muster unarchive ${card('v')}, or muster promote ${id} --force`,
  ],
  [obstacle('board_archived', { board: 'work' }), 'ready', 'Board work is archived.', 'muster boards unarchive work'],
  [
    obstacle('parents_open', { count: 3, parents: [parent] }),
    'todo',
    `Waits for ${card('p')} "Parent" (running) and 2 more.`,
    `The card starts when its parents finish. To start now: muster promote ${id} --force`,
  ],
  [
    obstacle('entries_open', { open: 2, total: 3, passed: 1, entries: [parent] }),
    'todo',
    `The tournament waits for 2 of 3 entries: ${card('p')} (running).`,
    `A pick follows when they finish. To pick now: muster pick ${id} '…'`,
  ],
  [
    obstacle('pick_needed', { passed: 2, total: 3, failure: 'no answer' }),
    'todo',
    'The tournament waits for a pick from 2 of 3 entries. The judge did not pick: no answer',
    `muster pick ${id} '…'`,
  ],
  [
    obstacle('judge_picks', { passed: 2, failure: null }),
    'todo',
    'The tournament waits for a pick by the judge.',
    `The judge is asked while muster up runs. To pick now: muster pick ${id} '…'`,
  ],
  [
    obstacle('no_entry_left', { reason: 'all failed', unblockable: [card('p')] }),
    'blocked',
    'No entry of the tournament can win: all failed',
    /^Reopen an entry, archive the tournament, or muster unblock/,
  ],
  [obstacle('held', { reason: null, by: null }), 'ready', 'The card is on hold.', `muster release ${id}`],
  [
    obstacle('held', { reason: 'until the release is out', by: 'ada' }),
    'ready',
    'ada put the card on hold: until the release is out',
    `muster release ${id}`,
  ],
  [
    obstacle('scheduled', { at: NOON + HOUR }, NOON + HOUR),
    'scheduled',
    /^The card is scheduled for 20/,
    /^Starts automatically in 1 h \(.*\)\. To start now: muster unblock/,
  ],
  [obstacle('parked', {}), 'scheduled', 'The card is scheduled without a time.', `muster unblock ${id}`],
  [
    obstacle('commands_unapproved', { beyond: 'script' }),
    'ready',
    'This script was written by an agent and needs your approval.',
    `muster approve ${id} --commands`,
  ],
  [
    obstacle('commands_unapproved', { beyond: null }),
    'ready',
    /An agent chose the commands or the folder/,
    /--commands$/,
  ],
  [obstacle('commands_unapproved', { beyond: 'wider' }), 'ready', /an agent with more permissions/, /--commands$/],
  [obstacle('unassigned', {}), 'ready', 'The card is unassigned.', `muster assign ${id} '…'`],
  [
    obstacle('agent_unknown', about('assignee')),
    'ready',
    'No agent is called coder.',
    `Add agents/coder.md, or muster assign ${id} '…'`,
  ],
  [
    obstacle('agent_unknown', about('default_assignee')),
    'ready',
    "No agent is called coder (the board's default assignee).",
    `Add agents/coder.md, or muster assign ${id} '…', or muster boards set main --default-assignee '…'`,
  ],
  [
    obstacle('agent_unknown', about('reviewer')),
    'review',
    'No agent is called coder (the reviewer of this card).',
    `Add agents/coder.md, or muster edit ${id} --reviewer '…', or muster approve ${id}, or muster request-changes ${id} '…'`,
  ],
  [
    obstacle('agent_file_broken', { ...about('assignee'), file: '/a/coder.md', fault: 'coder.md:3: harness' }),
    'ready',
    'The file of agent coder cannot be used: coder.md:3: harness.',
    `Fix /a/coder.md, or muster assign ${id} '…'`,
  ],
  [
    obstacle('agent_file_changed', { ...about('assignee'), file: '/r/x.md', folder: '/my repo' }),
    'ready',
    'The file of agent coder has changed since it was approved.',
    "muster agents approve '/my repo'",
  ],
  [
    obstacle('agents_unreadable', { ...about('assignee'), fault: 'agents cannot be read' }),
    'ready',
    'Agent coder cannot be looked up: agents cannot be read.',
    /^Make that folder readable, or /,
  ],
  [
    obstacle('agent_unapproved', { ...about('assignee'), folder: '/repo' }),
    'ready',
    'Agent coder is defined in /repo and needs your approval.',
    'muster agents approve /repo',
  ],
  [
    obstacle('program_missing', { ...about('assignee'), program: 'claude' }),
    'ready',
    'Agent coder runs Claude Code, which is not installed here.',
    /^Install it \(npm install -g @anthropic-ai\/claude-code\), or fix agents\/coder\.md, or muster assign/,
  ],
  [
    obstacle('review_assigned', { reviewer: 'critic' }),
    'review',
    'In review by agent critic.',
    /^Starts automatically\. To review it yourself: muster approve t_\w+, or muster request-changes t_\w+ '…'$/,
  ],
  [
    obstacle('review_by_person', { boardReviewer: 'critic' }),
    'review',
    'The card waits for a review by a person: critic reviews this board, but not its own work.',
    /^muster approve/,
  ],
  [
    obstacle('review_by_person', { boardReviewer: null }),
    'review',
    'The card waits for a review by a person.',
    /^muster approve/,
  ],
  [
    obstacle('reviewer_failed', { reviewer: 'critic', failures: 2 }),
    'review',
    'The card waits for a review by a person: the reviewer critic failed 2 times.',
    /, or muster edit t_\w+ --reviewer '…'$/,
  ],
  [obstacle('body_missing', { agent: 'shell' }), 'ready', /no body, and agent shell/, `muster edit ${id} --body '…'`],
  [obstacle('body_too_long', { agent: 'maker' }), 'ready', /\{bodyFile\}/, /^Fix agents\/maker\.md, or muster assign/],
  [
    obstacle('skills_missing', { agent: 'coder', unknown: ['lint'], broken: [], file: '/s/SKILL.md', from: 'card' }),
    'ready',
    'Skill lint is not installed here.',
    `Add /s/SKILL.md, or muster edit ${id} --skill '…'`,
  ],
  [
    obstacle('model_without_provider', { agent: 'coder', program: 'opencode', model: 'large', from: 'card' }),
    'ready',
    'opencode needs a model as provider/model, and large names no provider.',
    `muster edit ${id} --model '…'`,
  ],
  [
    obstacle('effort_unknown', {
      agent: 'coder',
      program: 'claude',
      effort: 'hihg',
      known: ['low', 'max'],
      from: 'agent',
    }),
    'ready',
    'claude accepts the efforts low, max, not hihg.',
    'Fix agents/coder.md',
  ],
  [
    obstacle('retry_wait', { failures: 2, error: null }, NOON + 4000),
    'ready',
    /^Failed 2 times\.$/,
    /^Retrying automatically in 4 s \(.*\)\. To retry now: muster promote t_\w+$/,
  ],
  [
    obstacle('retry_wait', { failures: 1, error: 'exit 3' }, NOON + 4000),
    'ready',
    /^Failed once\. Last error: exit 3$/,
    /^Retrying automatically/,
  ],
  [
    obstacle('retry_wait', { failures: 0, error: 'exit 3' }, NOON + 4000),
    'ready',
    /^The last run failed\. Last error: exit 3$/,
    /^Retrying automatically/,
  ],
  [obstacle('rate_limit_wait', {}, NOON + HOUR), 'ready', 'Rate limited.', /^Retrying automatically in 1 h \(.*\)$/],
  [
    obstacle('recent_success', {}, NOON + HOUR),
    'ready',
    'The card succeeded recently, so its retry waits.',
    /muster promote/,
  ],
  [
    obstacle('pull_request_linked', {}, NOON + HOUR),
    'ready',
    'A comment links a pull request, so the retry waits.',
    /muster promote/,
  ],
  [obstacle('workspace_sweeping', {}), 'ready', 'The workspace is being removed.', 'The card starts after the removal'],
  [
    obstacle('directory_busy', { card: card('b') }),
    'ready',
    `${card('b')} works in the same directory.`,
    `The card starts when the run of ${card('b')} ends`,
  ],
  [
    obstacle('files_elsewhere', { machine: 'm_2', host: 'server' }),
    'ready',
    'The files are on machine server (m_2).',
    `Starts when muster up runs on server, or muster edit ${card('0')} --fresh-workspace`,
  ],
  [
    obstacle('files_elsewhere', { machine: 'm_2', host: null }),
    'review',
    'The files are on machine m_2.',
    `Starts when muster up runs on that machine, or muster reopen ${card('0')}`,
  ],
  [
    obstacle('branch_in_use', { branch: 'feat/x', card: card('b'), status: 'running' }),
    'ready',
    `Branch feat/x is in use by ${card('b')} (running).`,
    `Starts when ${card('b')} finishes, or muster edit ${card('0')} --branch '…'`,
  ],
  [
    obstacle('branch_sweeping', { branch: 'feat/x', card: card('b') }),
    'ready',
    `The worktree of ${card('b')} on branch feat/x is being removed.`,
    'The card starts after the removal',
  ],
  [
    obstacle('branch_elsewhere', { branch: 'feat/x', card: card('b'), machine: 'm_2', host: 'server' }),
    'ready',
    `Branch feat/x is in the worktree of ${card('b')} on machine server (m_2).`,
    `Starts when muster up runs on server, or muster edit ${card('0')} --branch '…'`,
  ],
  [
    obstacle('branch_on_board', { branch: 'feat/x', card: card('b'), board: 'other', discardable: true }),
    'ready',
    `Branch feat/x is in the worktree of ${card('b')} on board other.`,
    `The card starts when the worktree is removed, or muster gc --discard ${card('b')} --yes, or muster edit ${id} --branch '…'`,
  ],
  [
    obstacle('branch_on_board', { branch: 'feat/x', card: card('b'), board: 'other', discardable: false }),
    'ready',
    `Branch feat/x is in the worktree of ${card('b')} on board other.`,
    `The card starts when the worktree is removed, or muster edit ${id} --branch '…'`,
  ],
  [
    obstacle('branch_checked_out', { branch: 'feat/x', folder: '/src' }),
    'ready',
    'Branch feat/x is checked out in /src.',
    `Switch /src to another branch (git switch), or muster edit ${card('0')} --branch '…'`,
  ],
  [
    obstacle('worktree_switched', { branch: 'feat/x', folder: '/w' }),
    'ready',
    'The worktree /w is no longer on branch feat/x.',
    'Run: git -C /w switch feat/x',
  ],
  [
    obstacle('worktree_switched', { branch: 'feat(x)', folder: '/my work' }),
    'ready',
    'The worktree /my work is no longer on branch feat(x).',
    "Run: git -C '/my work' switch 'feat(x)'",
  ],
  [
    obstacle('branch_clash', { branch: 'feat/x', other: 'feat' }),
    'ready',
    'Branch feat/x cannot be created while branch feat exists.',
    `muster edit ${card('0')} --branch '…'`,
  ],
  [
    obstacle('outside_hours', { of: 'board', name: 'work', hours: '22:00-07:00', at: NOON + HOUR }, NOON + HOUR),
    'ready',
    `Starts at ${localTime(NOON + HOUR).slice(-5)}: board work is active 22:00-07:00.`,
    `Starts automatically in 1 h (${localTime(NOON + HOUR)}). To change the hours: muster boards set work --active-hours '…'`,
  ],
  [
    obstacle('outside_hours', { of: 'agent', name: 'coder', hours: 'sat,sun', at: NOON + HOUR }, NOON + HOUR),
    'ready',
    /^Starts at [A-Z][a-z]{2} \d\d:\d\d: agent coder is active sat,sun\.$/,
    'Edit agents/coder.md, or wait. Starts automatically in 1 h',
  ],
  [
    obstacle('outside_hours', { of: 'agent', name: 'coder', hours: '08:00-09:00', at: null }),
    'ready',
    'Cannot start: agent coder is active 08:00-09:00, which never overlaps the other active hours of this card.',
    'Edit agents/coder.md',
  ],
  [
    obstacle('paused', { kind: 'agent', name: 'coder', reason: 'too hot' }),
    'ready',
    'The agent coder is paused: too hot',
    'muster resume agent coder',
  ],
  [
    obstacle('fallback_used', { agent: 'coder', fallback: 'backup', account: 'acme', cause: 'quota' }, NOON + HOUR),
    'ready',
    'Agent backup takes the cards of agent coder, because account acme is paused (quota).',
    `Agent coder continues automatically in 1 h (${localTime(NOON + HOUR)}). To use it now: muster resume account acme`,
  ],
  [
    obstacle('fallback_used', { agent: 'coder', fallback: 'backup', account: 'acme', cause: 'auth' }),
    'ready',
    /is paused \(auth\)/,
    'Log in with its CLI, then run: muster resume account acme',
  ],
  [
    obstacle('account_paused', { account: 'acme', cause: 'auth', reason: 'Invalid API key' }),
    'ready',
    'Account acme is paused (auth): Invalid API key',
    'Log in with its CLI, then run: muster resume account acme',
  ],
  [
    obstacle('account_paused', { account: 'acme', cause: 'quota', reason: null }, NOON + HOUR),
    'ready',
    'Account acme is paused (quota).',
    /^Resumes automatically in 1 h \(.*\)\. To start now: muster resume account acme$/,
  ],
  [
    obstacle('account_probed', { account: 'acme', run: runOf('a') }),
    'ready',
    /checks whether account acme works again\.$/,
    'The account resumes when the run gets an answer',
  ],
  [
    obstacle('cap_reached', { cap: 'machine', used: 4, limit: 4 }),
    'ready',
    'The limit of the machine is reached: 4 of 4 runs.',
    'The card starts when another run ends',
  ],
  [
    obstacle('supervisor_lost', { run: runOf('a') }),
    'running',
    `Run ${runOf('a')} has lost its supervisor, so nothing watches its agent.`,
    'Muster ends the run and starts the card again',
  ],
  [obstacle('no_dispatcher', {}), 'ready', "Muster isn't running.", 'muster up'],
  [
    obstacle('dispatcher_hung', { pid: 42, since: NOON, suspended: true }),
    'ready',
    'Muster (pid 42) is suspended, so no cards start.',
    'Continue Muster with fg in its terminal, or run: kill -CONT 42',
  ],
  [
    obstacle('dispatcher_hung', { pid: 42, since: NOON, suspended: false }),
    'ready',
    `Muster (pid 42) has not responded since ${localTime(NOON)}.`,
    'If Muster does not recover, stop it with kill -9 42, then run: muster up',
  ],
  [obstacle('disk_full', { folder: '/data' }), 'ready', 'The disk that holds /data is full.', 'Free some space'],
  [
    obstacle('store_damaged', { path: '/data/muster.db', fault: 'page 7 is torn' }),
    'ready',
    'The store /data/muster.db is damaged (page 7 is torn), so no card can start or change.',
    'Restore a backup. To list them: muster backup list',
  ],
  [
    obstacle('next_pass', {}),
    'ready',
    'The card can start.',
    'The card starts when Muster next looks for cards to run',
  ],
]

const reasonOf = (found: Obstacle, status: Task['status']) => {
  const task = sampleTask({ id, status, cooldownUntil: NOON })
  return withRemedies(found, { task, openParents: [] })
}

describe('a reason', () => {
  test.each(EXAMPLES)(
    'the reason $code has a sentence and a text that explains how it ends',
    (found, status, expected, clears) => {
      const reason = reasonOf(found, status)
      expect(reasonSentence(reason)).toMatch(expected)
      expect(wayOut(reason, NOON)).toMatch(clears)
    },
  )

  test('the examples include every reason code', () => {
    const shown = new Set(EXAMPLES.map(([{ code }]) => code))
    expect(REASON_CODES.filter((code) => !shown.has(code))).toEqual([])
  })

  test('a reason without a remedy still has a text that explains how it ends', () => {
    const parents = [1]
    for (const [found, status] of EXAMPLES) {
      const task = sampleTask({ id, status, workspace: { ...sampleTask().workspace, state: 'sweeping' } })
      expect(wayOut(withRemedies(found, { task, openParents: parents, parentSweeping: true }))).not.toBe('')
    }
  })
})

describe('the command line of a remedy', () => {
  const remedies: readonly Remedy[] = EXAMPLES.flatMap(([found, status]) => reasonOf(found, status).remedies)

  const shellWords = (line: string): string[] =>
    execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
      .split('\0')
      .slice(0, -1)

  test.each(remedies)('the parser reads the printed command for $operation back as the same input', async (remedy) => {
    const printed = shellWords(remedyLine(remedy))
    expect(printed.filter((word) => word === '…')).toHaveLength(remedy.asks.length)
    // The value that every other argument and flag accepts.
    const value = remedy.asks.includes('activeHours') ? 'sat,sun' : 'scratch'
    const [program, ...argv] = printed.map((word) => (word === '…' ? value : word))
    expect(program).toBe('muster')
    const { entry, rest } = findCommand(MANIFEST, argv)
    if (entry === null) throw new Error(`there is no command for ${argv.join(' ')}`)
    const command = (await entry.load()).command as CliCommand
    const world = { readStdin: async () => '', now: () => NOON } as unknown as Parameters<typeof readValues>[3]
    const values = await readValues(entry.name, command, splitFor(entry.name, command, rest), world)
    const given = JSON.stringify(values)
    const { input } = remedy
    expect(Object.values(input).filter((value) => typeof value === 'string' && !given.includes(value))).toEqual([])
    const flagFor = (field: string): string => entry.flags.find((flag) => flag.field === field)?.name ?? field
    expect(Object.keys(input).filter((key) => input[key] === true && values[flagFor(key)] !== true)).toEqual([])
    expect(given.match(RegExp(value, 'g')) ?? []).toHaveLength(remedy.asks.length)
  })

  test('the parser refuses a command with a placeholder', async () => {
    const { entry, rest } = findCommand(MANIFEST, ['unblock', id, '--reason', '…'])
    if (entry === null) throw new Error('there is no command')
    const command = (await entry.load()).command as CliCommand
    const world = {} as Parameters<typeof readValues>[3]
    const values = readValues(entry.name, command, splitFor(entry.name, command, rest), world)
    await expect(values).rejects.toThrow('--reason: replace … with a value.')
    const pasted = readValues(entry.name, command, splitFor(entry.name, command, ['t_…']), world)
    await expect(pasted).rejects.toThrow('replace t_… with the id of a card. To list them: muster list')
  })

  test('the command that changes the workspace comes before `unblock`', () => {
    const workspace = { ...sampleTask().workspace, kind: 'dir', path: '/nowhere' } as const
    const task = sampleTask({ id, status: 'blocked', startedAt: NOON, workspace })
    const reason = withRemedies(obstacle('breaker_open', { failures: 1, error: null, reason: null }), {
      task,
      openParents: [],
    })
    expect(wayOut(reason)).toBe(`muster edit ${id} --workspace '…', then muster unblock ${id}`)
  })

  test('the examples include every operation that a remedy can have', () => {
    const shown = new Set(remedies.map(({ operation }) => operation))
    expect(REMEDY_OPERATIONS.filter((operation) => !shown.has(operation))).toEqual([])
  })
})
