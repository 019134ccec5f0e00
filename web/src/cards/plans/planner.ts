/**
 * The questions to the planner, their failures, and the plans that wait for the person. A question continues while the
 * person works on another page. Plans are stored in this browser until they are applied or discarded.
 */
import { navigate } from 'wouter/use-browser-location'
import type { ClientError } from '../../../../src/client/index.ts'
import { asClientError, notConnected } from '../../api/errors.ts'
import { isLive } from '../../api/live-state.ts'
import { client } from '../../api/client.ts'
import { serverNow } from '../../api/server-clock.ts'
import { makeValue } from '../../app-state/value.ts'
import { useValue } from '../../app-state/use-value.ts'
import { languageValue } from '../../i18n/language.ts'
import { translator } from '../../i18n/use-messages.tsx'
import { planPath } from '../../routes/paths.ts'
import { showToast } from '../../ui/toasts.ts'
import { plannerMessages } from './messages.ts'
import { draftOf, readDraft } from './plan-draft.ts'
import type { PlanDraft, PlanKind } from './plan-draft.ts'

export interface PlannedCard {
  readonly id: string
  readonly board: string
  readonly title: string
}

export type Question =
  | { readonly is: 'asking'; readonly kind: PlanKind; readonly since: number; readonly abort: AbortController }
  | { readonly is: 'failed'; readonly kind: PlanKind; readonly error: ClientError }

const questions = makeValue<ReadonlyMap<string, Question>>(new Map())
const drafts = makeValue<ReadonlyMap<string, PlanDraft | null>>(new Map())

const keyOf = (id: string): string => `muster-plan:${id}`

function setQuestion(id: string, question: Question | null): void {
  const next = new Map(questions.get())
  if (question === null) next.delete(id)
  else next.set(id, question)
  questions.set(next)
}

export function keepPlan(id: string, draft: PlanDraft | null): void {
  drafts.set(new Map(drafts.get()).set(id, draft))
  try {
    if (draft === null) localStorage.removeItem(keyOf(id))
    else localStorage.setItem(keyOf(id), JSON.stringify(draft))
  } catch {
    // The storage is full, but the plan is still on the page.
  }
}

export const planNow = (id: string): PlanDraft | null => {
  const known = drafts.get().get(id)
  return known === undefined ? readDraft(localStorage.getItem(keyOf(id))) : known
}

// Another tab of this browser changed a plan.
addEventListener('storage', ({ key }) => {
  const id = key?.startsWith('muster-plan:') === true ? key.slice('muster-plan:'.length) : null
  if (id === null || !drafts.get().has(id)) return
  drafts.set(new Map(drafts.get()).set(id, readDraft(localStorage.getItem(keyOf(id)))))
})

/** The plan for a card that waits for the person. */
export function usePlan(id: string): PlanDraft | null {
  useValue(drafts)
  return planNow(id)
}

export const useQuestion = (id: string): Question | null => useValue(questions).get(id) ?? null

/** Asks the planner. Nothing is written to the board. If the question is already open, it continues. */
export async function askPlanner(card: PlannedCard, kind: PlanKind): Promise<void> {
  const { id } = card
  if (questions.get().get(id)?.is === 'asking') return
  const abort = new AbortController()
  setQuestion(id, { is: 'asking', kind, since: serverNow(), abort })
  try {
    if (!isLive()) throw notConnected()
    const { signal } = abort
    const { plan, task } = await (kind === 'specify'
      ? client.specify({ task: id }, { signal })
      : client.decompose({ task: id }, { signal }))
    keepPlan(id, draftOf(plan, kind, task))
    setQuestion(id, null)
    tell(card, 'ready')
  } catch (error) {
    if (abort.signal.aborted) return
    setQuestion(id, { is: 'failed', kind, error: asClientError(error) })
    tell(card, 'failed')
  }
}

/** Cancels the question, and forgets a failure. */
export function cancelQuestion(id: string): void {
  const question = questions.get().get(id)
  setQuestion(id, null)
  if (question?.is === 'asking') question.abort.abort()
}

/** Shows a message when a question ends while the person is on another page. */
function tell({ id, board, title }: PlannedCard, how: 'ready' | 'failed'): void {
  const path = planPath(board, id)
  if (location.pathname === path) return
  const t = translator(plannerMessages, languageValue.get())
  showToast({
    kind: how === 'ready' ? 'done' : 'failed',
    text: t(how === 'ready' ? 'planReady' : 'planFailed', { card: title }),
    action: { label: t('show'), onChoose: () => navigate(path) },
  })
}
