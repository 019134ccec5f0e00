import { createTask } from '../../../operations/cards/create-task.ts'
import type { TaskView } from '../../../storage/store.ts'
import type { Invocation } from '../../invocation.ts'
import { oneLine } from '../../escape.ts'
import * as flag from '../../flags.ts'
import { workspace } from '../../places.ts'
import { defineCommand } from '../../command.ts'

const { briefly, filling, text } = flag

export const command = defineCommand({
  group: 'cards',
  operation: createTask,
  makesHome: true,
  args: { title: flag.word() },
  flags: {
    body: briefly(
      'the rest; - reads it from stdin, @file from a file',
      flag.longText('everything else that is to be known; - reads it from standard input, @file from a file'),
    ),
    workspace: briefly(
      'scratch, dir:/path, worktree or worktree:/repo',
      workspace('where it is worked on: scratch, dir:/path, worktree or worktree:/repo'),
    ),
    at: briefly(
      'not before 09:00, tomorrow 9:00, +2h, 2026-11-30',
      filling(
        'scheduledAt',
        flag.laterMoment('not before this moment: 09:00, tomorrow 9:00, +2h, 2026-11-30, 2026-11-30T09:00'),
      ),
    ),
    idempotencyKey: text('<key>'),
    initialStatus: briefly(
      'blocked waits for a person (running: the usual)',
      filling('blocked', flag.choice(['blocked', 'running'], 'blocked: it waits for a person; running: the usual')),
    ),
    assignee: briefly('who does it', flag.agentOrNone('the agent that does it; none: nobody yet')),
    parent: briefly('is done first', filling('parents', flag.each(flag.card('a card that must be done first')))),
    check: briefly(
      'must pass',
      filling('checks', flag.each(text('<cmd>', 'a command that must pass before it is done'))),
    ),
    reviewer: briefly('who reviews it', flag.agent('who reviews it, if not the reviewer of the board')),
    priority: briefly('higher first', flag.whole()),
    maxRuntime: briefly('of a run: 2h', filling('maxRuntimeMs', flag.duration('how long a run may take: 30m, 2h'))),
    maxRetries: briefly('failures in a row', flag.whole({ min: 1 }, 'failures in a row after which a person is asked')),
    tenant: briefly('whom it is for', text('<name>')),
    branch: briefly('of the worktree', text('<name>')),
    skill: briefly(
      'for its runs',
      filling('skills', flag.skills('a skill that its runs get; none: not even those of its agent')),
    ),
    model: briefly('for its runs', text('<name>')),
    provider: briefly('of that model', text('<name>')),
    effort: briefly('of that model', text('<word>')),
    session: briefly('it comes from', text('<id>')),
    workflow: briefly('it is part of', text('<id>')),
    step: briefly('of the workflow', text('<id>')),
    triage: briefly('only an idea yet', flag.toggle()),
    hold: briefly('until released', filling('held', flag.toggle())),
  },
  notYet: ['goal', 'judge', 'goal-max-turns'],
  examples: ['muster create "Say hello" --assignee shell --body "echo hello"'],
  run: async (call, { title, parent, maxRuntime, at, check, skill, initialStatus, hold, ...given }) => {
    const { task, created, differs, warning } = await call.ask(createTask, {
      title,
      body: given.body ?? null,
      assignee: given.assignee ?? null,
      parents: [...(parent ?? [])],
      priority: given.priority ?? 0,
      tenant: given.tenant ?? null,
      session: given.session ?? null,
      workflow: given.workflow ?? null,
      step: given.step ?? null,
      idempotencyKey: given.idempotencyKey ?? null,
      workspace: given.workspace ?? null,
      branch: given.branch ?? null,
      skills: skill === undefined ? null : [...skill],
      model: given.model ?? null,
      provider: given.provider ?? null,
      effort: given.effort ?? null,
      reviewer: given.reviewer ?? null,
      maxRuntimeMs: maxRuntime ?? null,
      maxRetries: given.maxRetries ?? null,
      checks: [...(check ?? [])],
      scheduledAt: at ?? null,
      triage: given.triage,
      blocked: initialStatus === 'blocked',
      held: hold,
    })
    call.answer(task, sentence(task, created))
    if (call.json) return
    if (warning !== null) call.notice(oneLine(warning))
    await remark(call, task, differs)
  },
})

const sentence = (task: TaskView, created: boolean): string =>
  `${created ? 'Created' : 'Found'} ${task.id}  (${task.status}, assignee=${task.assignee === null ? '-' : oneLine(task.assignee)})`

/** What a person at the terminal should know; whoever reads JSON pays nothing for it. */
async function remark(call: Invocation, task: TaskView, differs: readonly string[]): Promise<void> {
  if (differs.length > 0) call.notice(`The card with this key was there already, with another ${differs.join(', ')}.`)
  if (task.deletedAt !== null) call.notice(`It is in the trash: muster undelete ${task.id} brings it back.`)
  if (call.insideRun) return
  const { startHint } = await import('../../start-hint.ts')
  const hint = await startHint(call, task)
  if (hint !== null) call.notice(hint)
}
