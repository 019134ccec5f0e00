/** Passes on notices about new output of a run, for screens that show the output. */
import { useEffect, useRef } from 'react'
import type { RunOutput } from '../../../src/client/index.ts'

const listeners = new Set<(output: RunOutput) => void>()

export function notifyOutput(output: RunOutput): void {
  for (const listener of listeners) listener(output)
}

/** Calls back with each notice while the component is shown. A run causes at most two notices a second. */
export function useOutputs(onOutput: (output: RunOutput) => void): void {
  const latest = useRef(onOutput)
  useEffect(() => {
    latest.current = onOutput
  })
  useEffect(() => {
    const listener = (output: RunOutput): void => latest.current(output)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [])
}
