/**
 * A component whose code is loaded when it is first shown, or before. React's own `lazy` holds such a component back for
 * 300 ms after it has shown anything in its place, even if the code is there after 10 ms.
 */
import { useEffect } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { makeValue } from '../app-state/value.ts'
import { useValue } from '../app-state/use-value.ts'

export type LoadedLater<Props> = ((props: Props) => ReactNode) & {
  /** Loads the code. Resolves when it is there, or when it could not be loaded. */
  readonly preload: () => Promise<void>
}

/** The server may be away for a moment. */
const RETRY_MS = 2_000

/** `instead` is shown until the code is there. */
export function loadLater<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: (props: Props) => ReactNode = () => null,
): LoadedLater<Props> {
  const loaded = makeValue<{ readonly Component: ComponentType<Props> } | null>(null)
  let loading: Promise<void> | null = null
  const preload = (): Promise<void> =>
    (loading ??= load().then(
      (Component) => loaded.set({ Component }),
      () => void (loading = null),
    ))
  const Later = (props: Props): ReactNode => {
    const known = useValue(loaded)
    useEffect(() => (known === null ? keepTrying(preload, () => loaded.get() !== null) : undefined), [known])
    return known === null ? instead(props) : <known.Component {...props} />
  }
  return Object.assign(Later, { preload })
}

/** Returns the function that ends the tries. */
function keepTrying(attempt: () => Promise<void>, isDone: () => boolean): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasEnded = false
  const next = async (): Promise<void> => {
    await attempt()
    if (!isDone() && !hasEnded) timer = setTimeout(() => void next(), RETRY_MS)
  }
  void next()
  return () => {
    hasEnded = true
    clearTimeout(timer)
  }
}
