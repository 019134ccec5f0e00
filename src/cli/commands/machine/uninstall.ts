import { uninstall } from '../../../operations/machine/uninstall.ts'
import type { Uninstalled } from '../../../operations/machine/uninstall.ts'
import { defineCommand } from '../../command.ts'
import { oneLine } from '../../output/escape.ts'
import { filling, toggle } from '../../flags.ts'
import type { Invocation } from '../../invocation.ts'
import { usageError } from '../../parse.ts'
import { EXIT } from '../../output/printer.ts'

export const command = defineCommand({
  group: 'keep',
  operation: uninstall,
  flags: {
    yes: filling('apply', toggle()),
    dryRun: toggle('only list what would be removed'),
    data: toggle(),
  },
  examples: ['muster uninstall --dry-run', 'muster uninstall', 'muster uninstall --data --yes'],
  run: async (cli, { yes, dryRun, data }) => {
    if (data && !yes && !dryRun)
      throw usageError('--data deletes all boards and their files. To confirm, add --yes.', 'missing_argument')
    const plan = await cli.perform(uninstall, { apply: false, data })
    if (dryRun || (!yes && !(await isConfirmed(cli, plan)))) {
      cli.answer(plan, [...listed(plan, 'Would remove'), ...remaining(plan, { data })].join('\n'))
      if (dryRun || isEmpty(plan)) return
      cli.notice('Nothing was removed. To remove these parts: muster uninstall --yes')
      cli.exitCode = EXIT.failed
      return
    }
    const done = await cli.perform(uninstall, { apply: true, data })
    cli.answer(done, [...listed(done, 'Removed'), ...remaining(done, { data })].join('\n'))
  },
})

const isEmpty = ({ serviceFiles, entries }: Uninstalled): boolean => serviceFiles.length === 0 && entries.length === 0

/** Asks the person to confirm. Without a terminal, the answer is no. */
async function isConfirmed(cli: Invocation, plan: Uninstalled): Promise<boolean> {
  const { confirm, stdout } = cli.world
  if (isEmpty(plan) || cli.json || cli.world.terminal === null || confirm === undefined) return false
  stdout.write(`${listed(plan, 'This removes').join('\n')}\n`)
  return (await confirm('Remove? [y/N] ')) === true
}

const listed = (plan: Uninstalled, verb: string): readonly string[] =>
  isEmpty(plan)
    ? ['Nothing to remove: Muster has no service and no MCP entries here.']
    : [
        `${verb}:`,
        ...plan.serviceFiles.map((file) => `  service    ${oneLine(file)}`),
        ...plan.entries.map(({ title, file }) => `  MCP entry  ${title}: ${oneLine(file)}`),
      ]

function remaining(plan: Uninstalled, { data }: { readonly data: boolean }): readonly string[] {
  const { faults, deletedData, liveRuns, remoteStore } = plan
  return [
    ...faults.map((fault) => `Could not check: ${oneLine(fault)}`),
    ...(liveRuns === 0 || deletedData ? [] : [`Running cards continue: ${liveRuns}. To list them: muster ps`]),
    ...dataLines(plan, data),
    ...(remoteStore ? ['The store is outside the data folder and is never deleted.'] : []),
    'If you set up tab completion, remove `muster completion` from the startup file of your shell.',
    'To remove the program: npm uninstall -g muster-board, or delete your clone.',
  ]
}

function dataLines({ home, hasData, deletedData, kept }: Uninstalled, data: boolean): readonly string[] {
  if (!hasData) return []
  const folder = oneLine(home)
  if (!data) return [`Your boards stay in ${folder}. To delete them: muster uninstall --data --yes`]
  return [
    `${deletedData ? 'Deleted' : 'Would delete'} the data folder ${folder}.`,
    ...(kept.length === 0
      ? []
      : [`These entries stay, because Muster did not create them: ${kept.map(oneLine).join(', ')}`]),
  ]
}
