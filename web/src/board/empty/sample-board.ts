/** The cards of the sample board, and the commands that create and remove it. */
import type { Inputs } from '../../../../src/client/index.ts'
import { RUNNING } from '../../../../src/core/status.ts'
import { client } from '../../api/client.ts'
import type { Language } from '../../i18n/language.ts'
import { SAMPLE_TEXTS } from './sample-texts.ts'
import type { SampleText } from './sample-texts.ts'

export const SAMPLE_BOARD = 'sample'

/** The final status of a card in the sample. The board is paused, so no agent starts. */
type Place = 'triage' | 'held' | 'scheduled' | 'ready' | 'running' | 'review' | 'question' | 'blocked' | 'done'

interface SampleCard {
  readonly text: SampleText
  readonly place: Place
  readonly fields?: Omit<Inputs['create'], 'title' | 'body'>
  /** The summaries of the cards that come earlier in the list. */
  readonly parents?: readonly SampleText[]
}

const DAY = 86_400_000

/** The cards of the sample. Parents come before their children. */
const CARDS: readonly SampleCard[] = [
  { text: 'tax', place: 'done', fields: { assignee: 'shell', labels: ['shop'], checks: ['true', 'test 1 -lt 2'] } },
  { text: 'events', place: 'done', fields: { assignee: 'shell', checks: ['true'], tenant: 'acme' } },
  { text: 'checkout', place: 'running', fields: { priority: 2, labels: ['shop'] }, parents: ['tax'] },
  { text: 'webhooks', place: 'review', fields: { assignee: 'shell', labels: ['payments'], checks: ['true'] } },
  { text: 'refunds', place: 'question', fields: { assignee: 'shell', labels: ['payments'], tenant: 'acme' } },
  { text: 'sessions', place: 'blocked', fields: { assignee: 'shell' } },
  { text: 'login', place: 'ready', fields: { assignee: 'shell', priority: 3, checks: ['true'] } },
  { text: 'coupons', place: 'ready', fields: { assignee: 'shell', labels: ['shop'], tenant: 'acme' } },
  { text: 'notes', place: 'ready', fields: { assignee: 'shell' }, parents: ['webhooks', 'refunds'] },
  { text: 'endpoint', place: 'ready', fields: { assignee: 'shell', labels: ['shop'] }, parents: ['checkout'] },
  { text: 'audit', place: 'scheduled', fields: { assignee: 'shell' } },
  { text: 'mails', place: 'held', fields: { assignee: 'shell' } },
  { text: 'search', place: 'triage', fields: { labels: ['shop'] } },
]

/** The steps that bring a new card to its final status. */
function settle({ text, place }: SampleCard, task: string, language: Language): Promise<unknown> {
  const { summary } = SAMPLE_TEXTS[language][text]
  switch (place) {
    case 'running':
      return client.claim({ task })
    case 'review':
      return client.requestReview({ task, summary })
    case 'question':
      return client.block({ task, reason: summary, kind: 'needs_input' })
    case 'blocked':
      return client.block({ task, reason: summary, kind: 'capability' })
    case 'done':
      return client.complete({ task, summary })
    case 'held':
    case 'ready':
    case 'scheduled':
    case 'triage':
      return Promise.resolve()
  }
}

const fieldsAt = (place: Place, now: number): Omit<Inputs['create'], 'title'> => ({
  ...(place === 'triage' && { triage: true }),
  ...(place === 'held' && { held: true }),
  ...(place === 'scheduled' && { scheduledAt: now + DAY }),
})

/** Creates the sample board. The board is paused before it gets cards. */
export async function createSampleBoard(language: Language, { name, about }: { name: string; about: string }) {
  const board = SAMPLE_BOARD
  await client.boardsCreate({ slug: board, name, description: about })
  await client.pause({ kind: 'board', name: board, reason: about })
  const ids = new Map<SampleText, string>()
  for (const card of CARDS) {
    const { title, body } = SAMPLE_TEXTS[language][card.text]
    const parents = (card.parents ?? []).flatMap((text) => ids.get(text) ?? [])
    const input = { ...card.fields, ...fieldsAt(card.place, Date.now()), title, body, parents }
    const { task } = await client.create(input, { board })
    ids.set(card.text, task.id)
    await settle(card, task.id, language)
  }
}

/** Deletes the sample board with its cards and files. A running card is reclaimed first. */
export async function removeSampleBoard(): Promise<void> {
  const board = SAMPLE_BOARD
  const running = await client.list({ status: RUNNING }, { board })
  for (const { id } of running) await client.reclaim({ task: id })
  await client.boardsArchive({ slug: board })
  await client.boardsDelete({ slug: board })
}
