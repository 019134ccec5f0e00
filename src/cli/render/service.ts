/** The output of the `service` commands. */
import type { ServiceView } from '../../operations/service/show-service.ts'
import { oneLine } from '../output/escape.ts'
import { localTime } from './format-values.ts'

export function servicePage(status: ServiceView): string {
  const { isInstalled, isRunning, name, since, pid, home, file, problem } = status
  if (!isInstalled) return `○ ${problem?.text ?? ''} To install it: ${problem?.fix ?? ''}`
  const state = isRunning ? `running${since === null ? '' : ` since ${localTime(since)}`}` : 'not running'
  const facts = [
    ['data folder', home],
    ['starts', startsAt(status)],
    ['process', pid === null ? '' : String(pid)],
    ['file', file],
  ]
  return [
    `${isRunning ? '●' : '○'} ${name}  ${state}`,
    ...facts.flatMap(([label = '', value = '']) => (value === '' ? [] : [`  ${label.padEnd(12)} ${oneLine(value)}`])),
    ...(problem === null ? [] : [`  ! ${oneLine(problem.text)} Run: ${oneLine(problem.fix)}`]),
  ].join('\n')
}

function startsAt({ isEnabled, lingers }: ServiceView): string {
  if (!isEnabled) return 'manually'
  return lingers === true ? 'at boot' : 'at login'
}
