import { removeAgent } from '../../../operations/agents/remove-agent.ts'
import type { RemovedAgent } from '../../../operations/agents/remove-agent.ts'
import { oneLine } from '../../output/escape.ts'
import { agentArgument } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'start',
  operation: removeAgent,
  aliases: ['agents rm'],
  args: { name: agentArgument },
  examples: ['muster agents remove builder'],
  run: async (cli, { name }) => {
    const removed = await cli.perform(removeAgent, { name })
    cli.answer(removed, removedText(removed))
    const { waiting, successor } = removed
    if (successor !== null)
      cli.notice(`${successor.file === null ? 'The built-in agent' : oneLine(successor.file)} replaces it.`)
    else if (waiting > 0)
      cli.notice(
        `${waiting} ${waiting === 1 ? 'card is' : 'cards are'} still assigned to it. To list: muster list --assignee ${removed.name}`,
      )
  },
})

const removedText = ({ name, file, kept }: RemovedAgent): string =>
  kept === null
    ? `Agent ${name} is no longer approved. Its file ${oneLine(file)} is unchanged.`
    : `Removed agent ${name}. Its file is kept as ${oneLine(kept)}.`
