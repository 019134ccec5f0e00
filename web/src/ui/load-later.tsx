/**
 * A component whose code is loaded when it is first shown, or earlier. React's own `lazy` shows its placeholder for at
 * least 300 ms, even if the code arrives after 10 ms.
 */
import { useEffect } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { makeValue } from '../app-state/value.ts'
import { useValue } from '../app-state/use-value.ts'

export type LoadedLater<Props> = ((props: Props) => ReactNode) & {
  /** Loads the code. Resolves when the code has arrived or could not be loaded. */
  readonly preload: () => Promise<void>
}

/** The server may be unreachable for a moment. */
const RETRY_MS = 2_000

/** `instead` is shown until the code has arrived. */
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

/** Returns the function that stops the retries. */
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
