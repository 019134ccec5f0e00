/** Decides which option a key press selects, as recommended by the ARIA Authoring Practices. */
export function nextOption(key: string, current: number, count: number): number | null {
  if (count === 0) return null
  switch (key) {
    case 'ArrowDown':
      return (current + 1) % count
    case 'ArrowUp':
      return current <= 0 ? count - 1 : current - 1
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

export interface Option {
  readonly value: string
  readonly label: string
  /** Further search words for the option. */
  readonly words?: string
  /** A note at the end of the row. */
  readonly note?: string
  /** Why the option cannot be chosen. Null means that it can be chosen. */
  readonly disabledReason?: string | null
}

/** Returns the options that contain all typed words. Options that start with the text come first. */
export function matchOptions<O extends Option>(options: readonly O[], typed: string): readonly O[] {
  const text = typed.trim().toLowerCase()
  if (text === '') return options
  const words = text.split(/\s+/)
  const found = options.filter(({ label, value, words: more = '' }) => {
    const all = `${label} ${value} ${more}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
  const begins = ({ label }: O): boolean => label.toLowerCase().startsWith(text)
  return [...found.filter(begins), ...found.filter((option) => !begins(option))]
}
