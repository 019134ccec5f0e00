import { useCallback } from 'react'
import { useSearchParams } from 'wouter'
import { createValue, readCreate, withoutCreate } from './create-address.ts'
import type { Prefill } from './create-address.ts'

interface CreateDialogAddress {
  /** The values for the dialog. Null while the dialog is closed. */
  readonly prefill: Prefill | null
  /** Opens the dialog, for example with `open({ status: 'triage' })`. */
  readonly open: (prefill?: Prefill) => void
  readonly close: () => void
}

/** Opens and closes the dialog that creates a card. The URL stores the dialog, so any screen can open it. */
export function useCreateDialog(): CreateDialogAddress {
  const [query, setQuery] = useSearchParams()
  const open = useCallback(
    (prefill: Prefill = {}) =>
      setQuery((before) => {
        const next = new URLSearchParams(before)
        next.set('create', createValue(prefill))
        return next
      }),
    [setQuery],
  )
  const close = useCallback(() => setQuery(withoutCreate, { replace: true }), [setQuery])
  return { prefill: readCreate(query), open, close }
}
