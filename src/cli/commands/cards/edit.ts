import { BoardError } from '../../../core/errors.ts'
import { editTask } from '../../../operations/cards/edit-task.ts'
import { definedOnly } from '../../../util/defined-only.ts'
import * as flag from '../../flags.ts'
import { workspace } from '../../places.ts'
import { said } from '../../steer.ts'
import { defineCommand } from '../../command.ts'

const { briefly, filling, orNone, text, toggle } = flag

export const command = defineCommand({
  group: 'cards',
  operation: editTask,
  args: { id: flag.cardId },
  flags: {
    title: briefly('its title', text()),
    body: briefly('-: stdin, @file', orNone(flag.longText())),
    priority: briefly('higher is sooner', flag.whole()),
    tenant: briefly('whom it is for', orNone(text('<name>'))),
    session: briefly('its session', orNone(text('<id>'))),
    workflow: briefly('its workflow', orNone(text('<id>'))),
    step: briefly('its step there', orNone(text('<id>'))),
    workspace: briefly('where it works', workspace('where it is worked on, until somebody has: as in create')),
    branch: briefly('of its worktree', orNone(text('<name>'))),
    skill: briefly('its skills', filling('skills', flag.skills())),
    model: briefly('what it runs on', orNone(text('<name>'))),
    provider: briefly('who serves it', orNone(text('<name>'))),
    effort: briefly('how hard to think', orNone(text('<word>'))),
    reviewer: briefly('who reviews it', flag.agentOrNone()),
    maxRuntime: briefly('30m, 2h: per run', filling('maxRuntimeMs', orNone(flag.duration()))),
    maxRetries: briefly('failures allowed', orNone(flag.whole({ min: 1 }))),
    check: briefly('must pass', filling('checks', flag.each(text('<cmd>')))),
    result: briefly('of a done card', text()),
    summary: briefly('of a done card', text()),
    metadata: briefly('of a done card', flag.jsonObject()),
    clearClaim: briefly('stop its run', toggle()),
    clearSkills: briefly("its agent's", filling('skills', toggle('no skills of its own any more'))),
    freshWorkspace: briefly('without its files', toggle('start again without its files, which are on another machine')),
    resetFailures: briefly('forget them', toggle()),
  },
  notYet: ['goal', 'no-goal', 'judge', 'goal-max-turns'],
  examples: ['muster edit t_4k2 --title "Fix the login" --tenant none', 'muster edit t_4k2 --reset-failures'],
  run: async (call, { id, ...given }) => {
    const { skill, clearSkills, check, maxRuntime, ...same } = given
    const wish = definedOnly({
      ...same,
      maxRuntimeMs: maxRuntime,
      skills: skillsOf(skill, clearSkills),
      checks: noneOr(check),
    })
    const { clearClaim, resetFailures, freshWorkspace } = given
    const task = await call.ask(editTask, { ...wish, task: id, clearClaim, resetFailures, freshWorkspace })
    call.answer(task, said(clearClaim ? 'Reclaimed' : 'Edited')(task))
    if (resetFailures && task.status === 'blocked')
      call.notice(`It is still blocked: muster unblock ${task.id} lets it go on.`)
  },
})

/** A list is replaced as a whole; the one word `none` empties it. */
const noneOr = (given: readonly string[] | undefined): string[] | undefined =>
  given?.length === 1 && given[0]?.trim().toLowerCase() === 'none' ? [] : given && [...given]

function skillsOf(given: readonly string[] | undefined, clear: boolean): string[] | null | undefined {
  if (clear && given !== undefined) throw contradiction('--skill', '--clear-skills')
  return clear ? null : given && [...given]
}

const contradiction = (one: string, other: string): BoardError =>
  new BoardError('invalid_input', `Give ${one} or ${other}, not both.`)
