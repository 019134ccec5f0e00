import { BoardError } from '../../../core/errors.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  name: 'mcp',
  group: 'keep',
  operation: null,
  summary: 'Run an MCP server with the tools of a board, on standard input and output.',
  brief: 'Serve the tools of the board to an assistant',
  examples: ['muster mcp', 'muster mcp --board work'],
  run: async (cli) => {
    const { board, insideRun, user } = cli.options
    // The assistant counts as an agent, so the commands that it writes need approval.
    const actor = { kind: 'orchestrator', name: `assistant of ${user}`, taskId: null, runId: null } as const
    const { serveTools } = cli.world
    if (serveTools === undefined) throw new BoardError('not_supported', 'This build of Muster cannot serve tools.')
    if (cli.world.terminal !== null)
      cli.notice('This command is for assistants. To connect yours: muster mcp install claude. Press Ctrl-C to stop.')
    // The tools server runs as long as the assistant. An upgrade may remove the files of its code, so the code is read
    // now.
    cli.world.holdCode?.()
    await serveTools({ board, insideRun, open: async (how) => ({ ...(await cli.lastingBoard(how)), actor }) })
  },
})
