import { describe, expect, test } from 'vitest'
import type { TaskDetails } from '../../src/operations/shared/views.ts'
import { changedCard, cardSummary, pageOfText, cardDetails } from '../../src/mcp/results.ts'
import { NOON, card, commentOf, runOf, sampleComment, sampleRun, sampleTask } from '../helpers/sample.ts'

const plain = { ...sampleTask({ id: card('a'), title: 'A card', body: null }), parents: [], children: [] }

const details = (rest: object = {}): TaskDetails => ({
  ...plain,
  retryLimit: { value: 2, from: 'board' },
  agentChecks: [],
  hasUnlandedWork: false,
  comments: [],
  answers: [],
  events: [],
  runs: [],
  attachments: [],
  swarmMembers: [],
  blackboard: [],
  earlierComments: 0,
  earlierAnswers: 0,
  ...rest,
})

describe('a card', () => {
  test('a card in a list has no empty fields', () => {
    const line = cardSummary({ ...plain, assignee: null, priority: 0 })
    expect(line).toEqual({ id: plain.id, title: 'A card', status: plain.status })
  })

  test('the result of a change has the status of the card and whether the card waits for approval', () => {
    expect(changedCard({ ...plain, assignee: null })).toEqual({ id: plain.id, status: plain.status })
    expect(changedCard({ ...plain, commandsApproved: false })).toMatchObject({ waitsForApproval: true })
    const recorded = { ...plain, recorded: 'Recorded complete' }
    expect(changedCard(recorded)).toMatchObject({ recorded: 'Recorded complete' })
  })

  test('the result for a large card has its newest entries and counts the others', () => {
    const long = 'x'.repeat(200_000)
    const whole = cardDetails(
      details({
        body: long,
        result: long,
        lastError: long,
        comments: Array.from({ length: 100 }, (_, at) =>
          sampleComment({ id: commentOf(at), body: `${at} ${long}`, createdAt: NOON }),
        ),
        runs: Array.from({ length: 50 }, (_, at) =>
          sampleRun({ id: runOf(at), attempt: at + 1, summary: long, error: long }),
        ),
        events: Array.from({ length: 1_000 }, (_, at) => ({
          id: at,
          kind: 'heartbeat',
          actor: 'agent:coder',
          createdAt: NOON + at,
          data: { note: long },
        })),
      }),
    ) as Record<string, unknown[]> & { body: string }
    expect(JSON.stringify(whole).length).toBeLessThan(60_000)
    expect(whole.body).toContain('192000 more characters')
    expect(whole['comments']).toHaveLength(15)
    expect(whole['comments']?.at(-1)).toMatchObject({ body: expect.stringMatching(/^99 /) as string })
    expect(whole['more']).toEqual({ comments: 85, runs: 45, events: 985 })
    expect(whole['runs']?.at(-1)).toMatchObject({ attempt: 50 })
    expect(whole['events']?.at(-1)).toEqual({
      kind: 'heartbeat',
      actor: 'agent:coder',
      at: new Date(NOON + 999).toISOString(),
    })
  })

  test('a card omits empty sections', () => {
    const whole = cardDetails(details())
    for (const name of ['comments', 'runs', 'events', 'attachments', 'more', 'held', 'waitsForApproval'])
      expect(whole).not.toHaveProperty(name)
  })
})

describe('the answers of a card', () => {
  const answerTo = {
    verb: 'unblock',
    question: 'Which port?',
    kind: 'needs_input',
    askedBy: 'agent:coder',
    askedAt: NOON,
  } as const
  const answer = (body: string) => sampleComment({ body, createdAt: NOON + 1, answerTo })

  test('answers are shown with their questions', () => {
    expect(cardDetails(details({ answers: [answer('Use 8080.')] }))).toMatchObject({
      answers: [{ question: 'Which port?', askedBy: 'agent:coder', answers: [{ author: 'ada', body: 'Use 8080.' }] }],
    })
  })

  test('a long answer can be read in full, page by page', () => {
    const long = `${'x'.repeat(50_000)}THE END`
    const task = details({ answers: [answer(long)] })
    expect(JSON.stringify(cardDetails(task))).toContain('kanban_show with part \\"answers\\"')
    expect(pagesOf(task, 'answers')).toContain(long)
  })

  test('omitted answers are counted', () => {
    const answers = Array.from({ length: 7 }, (_, at) => answer(`Answer ${at}.`))
    const task = details({ answers, earlierAnswers: 3 })
    expect(cardDetails(task)).toMatchObject({ more: { answers: 5 } })
    expect(pagesOf(task, 'answers')).toContain('(3 earlier answers left out)')
  })
})

test('a body of any length can be read in full, page by page', () => {
  const body = Array.from({ length: 30_000 }, (_, at) => `${at}😀`).join(' ')
  const task = details({ body })
  expect(pagesOf(task, 'body')).toBe(body)
  expect(JSON.stringify(cardDetails(task))).toContain('kanban_show with part \\"body\\"')
  expect(pageOfText(task, 'body', body.length)).toMatchObject({ text: '' })
  expect(pageOfText(details(), 'body', undefined)).toEqual({ id: plain.id, part: 'body', text: '', length: 0 })
})

/** Joins all pages of a text, as a caller reads them. */
function pagesOf(task: TaskDetails, part: string): string {
  const texts: string[] = []
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const page = pageOfText(task, part, offset) as { text: string; next?: number }
    texts.push(page.text)
    offset = page.next
  }
  return texts.join('')
}
