/** Makes a process table for tests. `onSignal` handles signals. */
import type { ProcessInfo, ProcessTable } from '../../src/processes/process-table.ts'

type Entry = Partial<ProcessInfo> & { readonly pid: number; readonly environment?: readonly string[] }

export interface FakeTable extends ProcessTable {
  readonly sent: { readonly pid: number; readonly signal: string }[]
  remove(pid: number): void
}

export function tableOf(
  entries: readonly Entry[],
  onSignal: (table: FakeTable, pid: number, signal: string) => void = () => {},
): FakeTable {
  const rows = new Map(entries.map((entry) => [entry.pid, entry]))
  const info = ({ environment: _environment, ...entry }: Entry): ProcessInfo => ({
    parent: 1,
    group: entry.pid,
    session: entry.pid,
    zombie: false,
    startTime: '1',
    ...entry,
  })
  const table: FakeTable = {
    sent: [],
    read: (pid) => {
      const found = rows.get(pid)
      return found === undefined ? null : info(found)
    },
    list: () => [...rows.values()].map(info),
    hasEnvironment: (pid, entry) => rows.get(pid)?.environment?.includes(entry) ?? false,
    signal: (pid, signal) => {
      table.sent.push({ pid, signal })
      onSignal(table, pid, signal)
    },
    remove: (pid) => rows.delete(pid),
  }
  return table
}
