/** The state of the form: the draft, and the errors in its fields. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ClientError } from '../../../src/client/index.ts'
import { boardsQuery } from '../api/queries.ts'
import type { BoardSummary } from '../api/queries.ts'
import { describeError } from '../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import type { Prefill } from '../routes/create-address.ts'
import { faultsOf, refusedField } from './create-input.ts'
import type { Faults } from './create-input.ts'
import { isEmptyDraft, FORM_FIELDS } from './draft.ts'
import type { Draft, FormField } from './draft.ts'
import { keepDraft, noteClosed, noteOpened, openDraft, storedDraft } from './draft-store.ts'
import { createMessages } from './messages.ts'

interface Refusal {
  /** The refused field. Null means that the refusal is not about one field. */
  readonly field: FormField | null
  readonly text: string
}

export interface CreateForm {
  readonly board: string
  readonly settings: BoardSummary['settings'] | null
  readonly draft: Draft
  readonly set: <Name extends keyof Draft>(name: Name, value: Draft[Name]) => void
  readonly errorOf: (name: FormField) => string | null
}

interface FormState extends CreateForm {
  readonly isSaved: boolean
  readonly refusal: string | null
  readonly setBoard: (board: string) => void
  readonly replace: (draft: Draft) => void
  /** Whether the draft can be sent. If not, the first field with an error is shown. */
  readonly check: () => boolean
  readonly refuse: (error: ClientError) => void
  /** The field with the last error, and the number of errors so far. */
  readonly faulty: { readonly field: FormField | null; readonly times: number }
}

const SAVE_MS = 250

export function useCreateForm(first: string, prefill: Prefill): FormState {
  const t = useMessages(createMessages)
  const language = useLanguage()
  const [board, setBoardName] = useState(prefill.board ?? first)
  const [draft, setDraft] = useState(() => openDraft(board, prefill))
  const [faults, setFaults] = useState<Faults>({})
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [faulty, setFaulty] = useState<FormState['faulty']>({ field: null, times: 0 })
  const { data: boards = [] } = useQuery(boardsQuery)
  const settings = boards.find(({ slug }) => slug === board)?.settings ?? null
  const kept = useKeptDraft(board, draft)
  const opened = JSON.stringify(prefill)
  useEffect(() => {
    noteOpened(opened)
    return noteClosed
  }, [opened])

  const show = (field: FormField | null): void => setFaulty(({ times }) => ({ field, times: times + 1 }))
  return {
    board,
    settings,
    draft,
    faulty,
    isSaved: kept.isSaved && !isEmptyDraft(draft),
    refusal: refusal?.field === null ? refusal.text : null,
    set(name, value) {
      setDraft((before) => ({ ...before, [name]: value }))
      setFaults({ ...faults, [name]: undefined })
      if (refusal?.field === name || refusal?.field === null) setRefusal(null)
    },
    setBoard(next) {
      const other = storedDraft(next)
      // The text moves to the other board. If that board has its own draft, that draft is shown instead, so that
      // nothing is lost.
      keepDraft(board, isEmptyDraft(draft) ? draft : other)
      if (isEmptyDraft(draft)) setDraft(other)
      setBoardName(next)
      setRefusal(null)
    },
    replace(next) {
      setDraft(next)
      kept.keep(next)
      setFaults({})
      setRefusal(null)
    },
    check() {
      const found = faultsOf(draft, { defaultDirectory: settings?.defaultDirectory ?? null })
      const [name] = FORM_FIELDS.filter((field) => found[field] !== undefined)
      setFaults(found)
      setRefusal(null)
      if (name !== undefined) show(name)
      return name === undefined
    },
    refuse(error) {
      const field = refusedField(error, draft)
      // If a field was refused, the server's message explains the error.
      setRefusal({ field, text: field === null ? describeError(error, language) : error.message })
      show(field)
    },
    errorOf(name) {
      const fault = faults[name]
      return fault === undefined ? (refusal?.field === name ? refusal.text : null) : t(fault)
    },
  }
}

interface Kept {
  readonly isSaved: boolean
  /** Stores this draft at once, because the dialog may close before it renders again. */
  readonly keep: (draft: Draft) => void
}

/** Stores the draft when the person stops typing, and when the dialog or the page closes. */
function useKeptDraft(board: string, draft: Draft): Kept {
  const latest = useRef({ board, draft })
  const [saved, setSaved] = useState(draft)
  useEffect(() => {
    latest.current = { board, draft }
    const timer = setTimeout(() => {
      keepDraft(board, draft)
      setSaved(draft)
    }, SAVE_MS)
    return () => clearTimeout(timer)
  }, [board, draft])
  useEffect(() => {
    const keep = (): void => keepDraft(latest.current.board, latest.current.draft)
    addEventListener('pagehide', keep)
    return () => {
      removeEventListener('pagehide', keep)
      keep()
    }
  }, [])
  return {
    isSaved: saved === draft,
    keep(next) {
      latest.current = { board, draft: next }
      keepDraft(board, next)
    },
  }
}
