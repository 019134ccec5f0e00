/** Reads the commands that a card would run, for the person who approves them. */
import { createHash } from 'node:crypto'
import { agentToRun } from '../../core/gates/admission.ts'
import type { Board } from '../../core/board.ts'
import { harnessOf } from '../../harnesses/index.ts'
import { readRoster } from '../../agents/roster.ts'
import { cardFolder } from '../../agents/skills/skill-folders.ts'
import { realFolder } from '../../workspaces/directory.ts'
import type { TaskView } from '../../storage/store.ts'
import { cardNow } from '../shared/act-on-card.ts'
import type { Commands } from './views.ts'
import type { BoardContext } from '../shared/operation.ts'
import { isOwnWork } from '../cards/next-runner.ts'
import { noBoard } from '../../core/errors.ts'
import type { TaskAddress } from '../shared/resolve-task.ts'

export interface ReadCommands {
  readonly task: TaskView
  readonly commands: Commands
  /** SHA-256 of the commands as JSON. */
  readonly hash: string
}

export async function readCommands(
  { store, options }: Pick<BoardContext, 'store' | 'options'>,
  address: TaskAddress,
): Promise<ReadCommands> {
  const [task, board] = await Promise.all([cardNow(store, address), store.board(address.board)])
  if (board === null) throw noBoard(address.board)
  const commands = await commandsOf(options.home, task, board, await isOwnWork(store, task, board))
  return { task, commands, hash: createHash('sha256').update(JSON.stringify(commands)).digest('hex') }
}

/** The commands of a card. The body is one of them only if the agent runs it as a script. */
async function commandsOf(home: string, task: TaskView, board: Board, reviewerIsAuthor: boolean): Promise<Commands> {
  const name = agentToRun(task, board, reviewerIsAuthor)
  const agent = name === null ? undefined : (await readRoster(home)).agents.get(name)
  const isScript = agent !== undefined && harnessOf(agent).runsTheCard
  const folder = cardFolder(task.workspace)
  return {
    body: isScript ? task.body : null,
    checks: task.checks,
    directory: folder === null ? null : ((await realFolder(folder)) ?? folder),
    agent: name === null ? null : { name, harness: agent?.harness ?? null, permissions: agent?.permissions ?? null },
  }
}
