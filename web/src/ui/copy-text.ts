import { showToast } from './toasts.ts'

/** Copies text and shows a message. The browser may refuse access to the clipboard. */
export async function copyText(
  text: string,
  { done, refused }: { readonly done: string; readonly refused: string },
): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast({ kind: 'done', text: done })
  } catch {
    showToast({ kind: 'failed', text: refused, note: text })
  }
}
