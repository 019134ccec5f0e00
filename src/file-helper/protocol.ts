/** The messages between a process and its file helper: one JSON value per line. */
import type { PackedError } from '../util/packed-error.ts'

export type HelperRequest =
  | { readonly id: number; readonly task: string; readonly input: unknown }
  | { readonly id: number; readonly cancel: true }

export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: PackedError }
  /** The progress of a long task. Progress is sent before the value. */
  | { readonly id: number; readonly progress: unknown }

/** Splits a stream of text into lines. An incomplete line is kept until its end arrives. */
export function lineSplitter(onLine: (line: string) => void): (piece: string) => void {
  let rest = ''
  return (piece) => {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') onLine(line)
  }
}
