/** Short messages at the edge of the window. They disappear after a while; errors stay until they are dismissed. */
import { makeValue } from '../app-state/value.ts'

export interface Toast {
  readonly id: number
  readonly kind: 'done' | 'failed'
  readonly text: string
  /** A second sentence, such as why one of several cards was refused. */
  readonly note?: string
  readonly action?: { readonly label: string; readonly onChoose: () => void }
}

/** More messages at once would cover the page. */
const MOST = 3

export const toasts = makeValue<readonly Toast[]>([])
let nextId = 1

export function showToast(toast: Omit<Toast, 'id'>): number {
  const id = nextId
  nextId += 1
  toasts.set([...toasts.get(), { ...toast, id }].slice(-MOST))
  return id
}

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id))
}
