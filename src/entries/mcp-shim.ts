/**
 * The MCP server that gives an agent the tools of its board. The server forwards each call to the supervisor of the
 * run. This entry is bundled as one file. Its first argument is the role of the agent. The variables of the run come
 * from the environment, or from the file that the second argument names (harnesses/mcp-entry.ts).
 */
// oxlint-disable-next-line muster/powers -- this process opens no store
import { readFileSync } from 'node:fs'
import packageFile from '../../package.json' with { type: 'json' }
import { ownEnvironment } from '../config/environment.ts'
import type { Environment } from '../config/environment.ts'
import { runBackend } from '../mcp/run-backend.ts'
import { serve } from '../mcp/serve.ts'
import { ROLES } from '../mcp/tool.ts'
import { stdioClient } from '../mcp/stdio.ts'
import { claimTools } from '../runs/tools-owner.ts'
import { toolsOwnerFile } from '../runs/files/run-directory.ts'

const [, , asked, file] = process.argv
const {
  MUSTER_RUN: run,
  MUSTER_SOCKET: socket,
  MUSTER_NONCE: nonce,
  MUSTER_TASK: task = null,
  MUSTER_LATE_FOLDER: lateFolder = null,
} = file === undefined ? ownEnvironment() : entryIn(file)
const role = ROLES.find((one) => one === asked)

function entryIn(path: string): Environment {
  try {
    const { mcpServers } = JSON.parse(readFileSync(path, 'utf8')) as { mcpServers: { muster: { env: Environment } } }
    return mcpServers.muster.env
  } catch {
    return {}
  }
}

/** The exit code of the command line for `run_over`. */
const RUN_OVER = 4

if (!run || !socket || !nonce || role === undefined) {
  exitRefused('these tools belong to a run, and this process has none: the run is over.')
} else if (file !== undefined && !claimTools(toolsOwnerFile(file))) {
  exitRefused('these tools belong to the agent of the run, not to the processes that it starts.')
} else {
  const backend = runBackend({ run, socket, nonce, task, lateFolder }, role)
  void serve(backend, stdioClient(packageFile.version)).then(() => backend.close())
}

function exitRefused(why: string): void {
  process.stderr.write(`muster: ${why}\n`)
  process.exitCode = RUN_OVER
}
