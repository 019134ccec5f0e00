/** The sections of the briefing about other cards: the card's parents, and recent work of its agent. */
import { isSatisfied } from '../status.ts'
import { firstLine } from '../text.ts'
import { machineName } from '../gates/workspace-gates.ts'
import type { BriefingInput, BriefingParent } from './briefing-input.ts'
import { BRIEFING_PARENTS, BRIEFING_RECENT_WORK, BRIEFING_TITLE_MAX, LINE_MAX, PATH_MAX } from './caps.ts'
import { timeAndAge } from './moment.ts'
import { field, inline, jsonField, omitted, hasText } from './quoted.ts'

export function parentResults({ parents, now }: BriefingInput): string {
  const finished = parents
    .filter(({ task }) => isSatisfied(task.status) && task.completedAt !== null)
    .sort((a, b) => (a.task.id < b.task.id ? -1 : 1))
  if (finished.length === 0) return ''
  const shown = finished.slice(0, BRIEFING_PARENTS)
  return [
    "## Parents' results",
    'The results of the parent cards, as of when each finished. Check what you rely on: it may have changed.',
    ...shown.map((parent) => parentResult(parent, now)),
    ...omitted(finished.length - shown.length, 'parent'),
  ].join('\n\n')
}

function parentResult({ task, summary, artifacts, snapshotPath }: BriefingParent, now: number): string {
  const result = hasText(summary) ? summary : task.result
  const { path, state, machine } = task.workspace
  const hasFolder = state === 'live' || state === 'kept'
  const isThere = path !== null && hasFolder
  const isElsewhere = path === null && hasFolder && machine !== null
  return [
    `### ${task.id} (done ${timeAndAge(task.completedAt ?? 0, now)})`,
    [
      `Title: ${inline(task.title, BRIEFING_TITLE_MAX)}`,
      ...(isThere ? [`Workspace: ${inline(path, PATH_MAX)}`] : []),
      ...(isElsewhere ? [`Workspace: on machine ${inline(machineName(task.workspace))}, not readable here`] : []),
      ...(isThere || snapshotPath == null ? [] : [`Copy of the workspace: ${inline(snapshotPath, PATH_MAX)}`]),
      ...(artifacts.length === 0 ? [] : [`Artifacts: ${listed(artifacts)}`]),
    ].join('\n'),
    ...(hasText(result) ? field('Result', result) : ['It left no summary.']),
    ...jsonField('Metadata', task.metadata),
  ].join('\n\n')
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, BRIEFING_PARENTS).map((path) => inline(path, PATH_MAX))
  const left = paths.length - shown.length
  return shown.join(', ') + (left > 0 ? `, and ${left} more` : '')
}

export function recentWorkOf({ recentWork: works, agent, now }: BriefingInput): string {
  if (works.length === 0) return ''
  return [
    `## Recent work by ${agent === null ? 'this agent' : inline(agent)}`,
    '',
    ...works.slice(0, BRIEFING_RECENT_WORK).map((work) => {
      const summary = firstLine(work.summary, LINE_MAX)
      return `- ${work.taskId} ${inline(work.title, BRIEFING_TITLE_MAX)}, ${timeAndAge(work.endedAt, now)}: ${summary === '' ? '(no summary)' : inline(summary)}`
    }),
  ].join('\n')
}
