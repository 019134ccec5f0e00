import type { LandedCard } from '../../../operations/workspaces/land-task.ts'
import { landTask } from '../../../operations/workspaces/land-task.ts'
import { oneLine } from '../../output/escape.ts'
import { badValue, cardId, text, toggle } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

const shortCommit = ({ commit }: LandedCard): string => commit.slice(0, 12)

const sentences: Readonly<Record<LandedCard['outcome'], (done: LandedCard) => string>> = {
  landed: (done) => `Landed ${done.id} on ${oneLine(done.into)} as ${shortCommit(done)} (${done.strategy})`,
  already_landed: (done) => `${done.id} is already on ${oneLine(done.into)} as ${shortCommit(done)}.`,
  nothing_to_land: (done) => `${done.id} has no changes for ${oneLine(done.into)}, so no commit was made.`,
}

export const command = defineCommand({
  group: 'work',
  operation: landTask,
  args: { id: cardId },
  flags: {
    squash: { ...toggle('one commit for the whole card (default)'), field: 'strategy' },
    merge: { ...toggle('a merge commit, keeping the commits of the card'), field: 'strategy' },
    rebase: { ...toggle('the commits of the card, rebased onto the branch'), field: 'strategy' },
    into: text('<branch>', 'branch to land on (default: the branch that the worktree started from)'),
  },
  brief: 'Put the work of a worktree card on your branch',
  examples: ['muster land t_4k2', 'muster land t_4k2 --rebase', 'muster land t_4k2 --merge --into release'],
  run: async (cli, { id, squash, merge, rebase, into }) => {
    const asked = (['squash', 'merge', 'rebase'] as const).filter((name) => ({ squash, merge, rebase })[name])
    if (asked.length > 1) throw badValue(`Give only one of --${asked.join(', --')}.`)
    const done = await cli.ask(landTask, { task: id, strategy: asked[0] ?? null, into: into ?? null })
    cli.answer(done, sentences[done.outcome](done))
  },
})
