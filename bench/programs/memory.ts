import { readFileSync } from 'node:fs'

/** The memory of a process in megabytes; Linux only. */
export function memory(pid: number): { rss: number; pss: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')
  const of = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024
  return { rss: of('Rss'), pss: of('Pss') }
}
