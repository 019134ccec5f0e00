import { ASSISTANTS } from '../../../mcp-install/index.ts'
import { ASSISTANT_NAMES } from '../../../mcp-install/names.ts'
import { installTools } from '../../../operations/machine/install-tools.ts'
import { oneLine } from '../../output/escape.ts'
import { choiceArgument, toggle } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

type Installed = Awaited<ReturnType<typeof installTools.run>>

export const command = defineCommand({
  group: 'keep',
  operation: installTools,
  args: { assistant: choiceArgument(ASSISTANT_NAMES) },
  flags: { print: toggle(), remove: toggle() },
  without: { board: '--board is a common flag' },
  examples: ['muster mcp install claude', 'muster mcp install codex --print', 'muster mcp install gemini --remove'],
  run: async (cli, { assistant, print, remove }) => {
    const board = cli.typedBoard ?? undefined
    const done = await cli.perform(installTools, { assistant, print, remove, ...(board !== undefined && { board }) })
    cli.answer(done, [...shown(done), installedText(done, remove)].join('\n'))
    if (done.needs !== null)
      cli.notice(
        `The store address contains a password, so it is not written to the file. Start ${assistant} with ${done.needs} set.`,
      )
  },
})

const shown = ({ file, diff }: Installed): readonly string[] =>
  diff.length === 0 ? [] : [oneLine(file), ...diff.map(oneLine)]

function installedText({ assistant, file, change, written, program }: Installed, remove: boolean): string {
  const { title } = ASSISTANTS[assistant]
  const next =
    program === null ? `Install ${assistant}: it is not on your PATH.` : 'The tools appear at its next start.'
  const again = `muster mcp install ${assistant}`
  if (change === 'none')
    return remove
      ? `Muster is not set up in ${oneLine(file)}.`
      : `${title} already has Muster's tools (${oneLine(file)}).`
  if (!written) return 'Nothing was written. These are the changes.'
  if (change === 'removed') return `Removed Muster from ${title}. To add it again: ${again}`
  return `Added Muster to ${title}. ${next} To remove it: ${again} --remove`
}
