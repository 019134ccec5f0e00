/** A value outside of React that components can follow. */
export interface Value<T> {
  readonly get: () => T
  readonly set: (next: T) => void
  /** Calls `onChange` after each change. Returns the function that ends the calls. */
  readonly follow: (onChange: () => void) => () => void
}

export function makeValue<T>(initial: T): Value<T> {
  let current = initial
  const followers = new Set<() => void>()
  return {
    get: () => current,
    set(next) {
      if (Object.is(next, current)) return
      current = next
      for (const onChange of followers) onChange()
    },
    follow(onChange) {
      followers.add(onChange)
      return () => void followers.delete(onChange)
    },
  }
}
