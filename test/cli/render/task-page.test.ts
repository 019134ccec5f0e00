// Tests the page of a card at three widths.
import { describe, expect, test } from 'vitest'
import { taskPage } from '../../../src/cli/render/task-page.ts'
import type { CardContext } from '../../../src/cli/render/task-page.ts'
import { widthOf } from '../../../src/cli/render/width.ts'
import { obstacle } from '../../../src/core/reasons/reason.ts'
import { withRemedies } from '../../../src/core/reasons/remedies.ts'
import type { Results } from '../../../src/operations/cards/locate-results.ts'
import type { TaskDetails } from '../../../src/operations/shared/views.ts'
import {
  MINUTE,
  NOON,
  card,
  runOf,
  sampleAttachment,
  sampleComment,
  sampleRun,
  sampleTask,
} from '../../helpers/sample.ts'

const WIDTHS = [60, 80, 120] as const

const NO_RESULTS: Results = {
  id: card('a'),
  folder: null,
  elsewhere: null,
  isWorkHere: true,
  snapshot: null,
  snapshots: 0,
  parents: [],
  children: [],
}

const details = (patch: Partial<TaskDetails> = {}): TaskDetails => ({
  ...sampleTask(),
  parents: [],
  children: [],
  retryLimit: { value: 2, from: 'board' },
  agentChecks: [],
  hasUnlandedWork: false,
  comments: [],
  earlierComments: 0,
  answers: [],
  earlierAnswers: 0,
  events: [],
  runs: [],
  attachments: [],
  swarmMembers: [],
  blackboard: [],
  ...patch,
})

const LONG = 'Sessions now expire after 30 minutes, and the page shows the time that is left. '.repeat(3).trim()

const done = details({
  status: 'done',
  title: 'Let sessions of the login page expire, and show the remaining time in its footer',
  completedAt: NOON - 5 * MINUTE,
  result: LONG,
  body: `${LONG}\n  - indented\n`,
  branch: 'muster/t_a',
  workspace: {
    ...sampleTask().workspace,
    kind: 'worktree',
    repo: '/srv/site',
    base: '0123456789abcdef',
    baseBranch: 'main',
    state: 'live',
  },
  hasUnlandedWork: true,
  parents: [card('p')],
  attachments: [sampleAttachment({ filename: 'report.pdf', size: 12_000, runId: runOf('a'), uploadedBy: 'coder' })],
  comments: [sampleComment({ body: `${LONG}\nsecond line` })],
  events: Array.from({ length: 30 }, (_, at) => ({
    id: at,
    board: 'main',
    kind: 'commented' as const,
    taskId: card('a'),
    runId: null,
    actor: 'ada',
    createdAt: NOON,
    data: { note: `${at}: ${LONG}` },
  })),
  runs: [
    sampleRun({
      agent: 'coder',
      outcome: 'completed',
      endedAt: NOON + MINUTE,
      summary: LONG,
      changes: { files: 3, added: 20, removed: 4, commit: 'c1', note: null },
    }),
  ],
})

const doneResults: Results = {
  ...NO_RESULTS,
  folder: '/home/ada/.muster/boards/main/workspaces/t_a',
  snapshot: {
    id: 's',
    kind: 'archive',
    takenAt: NOON,
    files: 2,
    bytes: 300,
    path: '/x.tar.gz',
    repo: null,
    ref: null,
    branch: null,
  },
  snapshots: 3,
  parents: [{ id: card('p'), title: LONG, status: 'done' }],
}

const finished = withRemedies(obstacle('finished', { status: 'done' }), { task: sampleTask(done), openParents: [] })
const at = (width: number): CardContext => ({ now: NOON, reasons: [finished], results: doneResults, width })

const HEADINGS = /^[A-Z][a-z ]+$/gm

describe('a finished worktree card', () => {
  test.each(WIDTHS)('every line fits %i columns, and no word is broken', (width) => {
    const page = taskPage(done, at(width))
    for (const line of page.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(width)
    const result = page.slice(page.indexOf('Result\n') + 7, page.indexOf('\n\nFiles'))
    expect(result.replaceAll(/\s+/g, ' ').trim()).toBe(LONG)
  })

  test.each(WIDTHS)('the result comes first and a few events come last (%i columns)', (width) => {
    const page = taskPage(done, at(width))
    expect(page.match(HEADINGS)).toEqual([
      'Result',
      'Files',
      'Next',
      'Description',
      'Runs',
      'Dependencies',
      'Details',
      'Comments',
      'Events',
    ])
    expect(page.match(/ commented /g)).toHaveLength(8)
  })

  test('the heading has title, id, status, age and agent', () => {
    expect(taskPage(done, at(120)).split('\n').slice(0, 2)).toEqual([
      '✓ t_000000000a  Let sessions of the login page expire, and show the remaining time in its footer',
      '  done 5 min ago · coder · board main',
    ])
    expect(taskPage(done, at(60)).split('\n').slice(0, 2)).toEqual([
      '✓ t_000000000a  Let sessions of the login page expire, and',
      '                show the remaining time in its footer',
    ])
  })

  test('the files section lists folder, branch, artifacts and the restore command', () => {
    const page = taskPage(done, at(80))
    for (const line of [
      '  folder      /home/ada/.muster/boards/main/workspaces/t_a',
      '  branch      muster/t_a',
      '  repository  /srv/site',
      '  based on    main at 0123456789ab',
      '  artifact    report.pdf  12 KB  by coder',
      '  restore     muster restore t_000000000a',
      '  list all    muster snapshots t_000000000a',
    ])
      expect(page).toContain(`${line}\n`)
    expect(page).toMatch(/ {2}snapshot {4}2 files, 300 B, \S+ \d\d:00 \(2 older\)\n/)
  })

  test('the next section lists diff first and reopen last', () => {
    expect(taskPage(done, at(80))).toContain(
      [
        'Next',
        '  muster diff t_000000000a    show the changes',
        '  muster land t_000000000a    put the changes on main',
        '  muster log t_000000000a     show what the agent did',
        '  muster reopen t_000000000a  work on the card again',
        '',
      ].join('\n'),
    )
  })

  test('a path that does not fit is printed whole on its own line', () => {
    const folder = `/home/ada/${'deep/'.repeat(8)}t_a`
    const page = taskPage(done, { ...at(60), results: { ...doneResults, folder } })
    expect(page).toContain(`  folder\n    ${folder}\n`)
  })
})

test('without a terminal, lines are not wrapped', () => {
  const { width: _, ...piped } = at(80)
  expect(taskPage(done, piped)).toContain(`Result\n  ${LONG}\n`)
})

test('the page of a blocked card shows its question instead of a result', () => {
  const blockReason = 'Which port should the server use?'
  const task = details({
    status: 'blocked',
    blockKind: 'needs_input',
    blockReason,
    runs: [sampleRun({ outcome: 'blocked', endedAt: NOON, summary: blockReason })],
  })
  const asked = obstacle('blocked', { kind: 'needs_input', reason: blockReason, by: 'coder' })
  const reasons = [withRemedies(asked, { task: sampleTask(task), openParents: [] })]
  const page = taskPage(task, { now: NOON, reasons, results: NO_RESULTS, width: 80 })
  expect(page.match(HEADINGS)?.slice(0, 3)).toEqual(['Question', 'Next', 'Why it waits'])
  expect(page).toContain("  muster answer t_000000000a '…'  answer, and let the card continue\n")
})

test('only the last runs are shown, with the command that lists all', () => {
  const runs = Array.from({ length: 7 }, (_, n) =>
    sampleRun({ id: runOf(n), attempt: n + 1, endedAt: NOON, outcome: 'crashed' }),
  )
  const page = taskPage(details({ runs }), { now: NOON, reasons: [], results: NO_RESULTS, width: 80 })
  expect(page).toContain('Runs\n  2 earlier. To list them: muster runs t_000000000a\n  #3  crashed')
})

test('inside a run the page shows no commands, and parents by id', () => {
  const page = taskPage(details({ parents: [card('p')] }), { now: NOON, reasons: null, results: null })
  expect(page).not.toContain('Next\n')
  expect(page).toContain(`Dependencies\n  after   ${card('p')}\n`)
})
