import { BoardError } from '../../../core/errors.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  name: 'mcp',
  group: 'keep',
  operation: null,
  summary: 'Serve the board’s tools to an assistant, over standard input and output.',
  examples: ['muster mcp', 'muster mcp --board work'],
  run: async (cli) => {
    const { board, insideRun, user } = cli.options
    // What an assistant writes is an agent's word: its commands wait for the person it speaks for.
    const actor = { kind: 'orchestrator', name: `assistant of ${user}`, taskId: null, runId: null } as const
    const { serveTools } = cli.world
    if (serveTools === undefined) throw new BoardError('not_supported', 'Tools are not served from here.')
    if (cli.world.terminal !== null)
      cli.notice(
        'This speaks with assistants, not with people: muster mcp install claude connects yours. Ctrl-C ends it.',
      )
    await serveTools({ board, insideRun, open: async (how) => ({ ...(await cli.lastingBoard(how)), actor }) })
  },
})
