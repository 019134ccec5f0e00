/** What a machine runs out of. It says nothing of an agent or its work, and it comes back. */
const SHORTAGES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE']

/** Also where one of our own errors stands before the system's. */
export function isShortage(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown }
  return SHORTAGES.includes(code) || (cause !== undefined && isShortage(cause))
}
