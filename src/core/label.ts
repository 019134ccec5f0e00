/** Labels are compared, so each has one spelling. `none` is not a label: `muster edit --label none` removes all labels. */
export const LABEL_RULE = 'a label has 1 to 50 characters without spaces and commas, and is not "none"'

/** Null if the text is not a label. */
export function labelFrom(text: string): string | null {
  const label = text.trim().toLowerCase()
  return /^[^\s,]{1,50}$/u.test(label) && label !== 'none' ? label : null
}
