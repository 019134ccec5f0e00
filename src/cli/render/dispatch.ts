import type { DispatchReport } from '../../operations/dispatch-once.schema.ts'
import { oneLine } from '../escape.ts'

export function dispatchLines(report: DispatchReport): string {
  const lines = [
    ...report.interrupted.map((run) => `interrupted  ${run.id}`),
    ...report.woken.map((id) => `woken        ${id}`),
    ...report.started.map(
      (run) => `started      ${run.id}  ${oneLine(run.agent)}${run.attempt === null ? '' : `  attempt ${run.attempt}`}`,
    ),
    ...report.settled.map((run) => `settled      ${run.id}  ${run.outcome ?? ''}  now ${run.status}`),
    ...report.deferred.map(({ id, reason }) => `deferred     ${id}  ${oneLine(reason)}`),
    ...report.notes.map((note) => `deferred     ${oneLine(note)}`),
    ...report.capped.map((id) => `capped       ${id}  waits for a free place`),
    ...report.unassigned.map((id) => `unassigned   ${id}`),
  ]
  return lines.length === 0 ? 'Nothing to do.' : lines.join('\n')
}
