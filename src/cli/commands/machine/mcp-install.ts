import { ASSISTANTS } from '../../../mcp-install/index.ts'
import { ASSISTANT_NAMES } from '../../../mcp-install/names.ts'
import { installTools } from '../../../operations/machine/install-tools.ts'
import { oneLine } from '../../escape.ts'
import { choiceWord, toggle } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

type Installed = Awaited<ReturnType<typeof installTools.run>>

export const command = defineCommand({
  group: 'keep',
  operation: installTools,
  args: { assistant: choiceWord(ASSISTANT_NAMES) },
  flags: { print: toggle(), remove: toggle() },
  without: { board: 'it is the common flag --board' },
  examples: ['muster mcp install claude', 'muster mcp install codex --print', 'muster mcp install gemini --remove'],
  run: async (cli, { assistant, print, remove }) => {
    const board = cli.typedBoard ?? undefined
    const done = await installTools.run(cli.local, { assistant, print, remove, ...(board !== undefined && { board }) })
    cli.answer(done, [...shown(done), sentence(done, remove)].join('\n'))
    if (done.needs !== null)
      cli.notice(
        `The address of your store has a password, which is not written down: start ${assistant} with ${done.needs} set.`,
      )
  },
})

const shown = ({ file, diff }: Installed): readonly string[] =>
  diff.length === 0 ? [] : [oneLine(file), ...diff.map(oneLine)]

function sentence({ assistant, file, change, written, program }: Installed, remove: boolean): string {
  const { title } = ASSISTANTS[assistant]
  const when = program === null ? `once it is installed: ${assistant} is not on your PATH` : 'from its next start'
  const again = `muster mcp install ${assistant}`
  if (change === 'none')
    return remove
      ? `There is nothing of Muster in ${oneLine(file)}.`
      : `Nothing to do: ${title} has the tools of your board already (${oneLine(file)}).`
  if (!written) return 'Nothing was written: this is only what would change.'
  if (change === 'removed') return `${title} has the tools no more. ${again} gives them back.`
  return `${title} has the tools of your board ${when}. ${again} --remove takes them out again.`
}
