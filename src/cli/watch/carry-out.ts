/** Carries out the action that a person chose on the screen. Returns the message for the last line. */
import { readServerFiles } from '../../config/server-file.ts'
import { newSignInCode, signInUrl } from '../../config/sign-in-code.ts'
import { BoardError } from '../../core/errors.ts'
import type { Remedy } from '../../core/reasons/reason.ts'
import { pauseWork } from '../../operations/agents/pause-work.ts'
import { resumeWork } from '../../operations/agents/resume-work.ts'
import { answerQuestion } from '../../operations/cards/answer-question.ts'
import { promoteTask } from '../../operations/cards/promote-task.ts'
import { unblockTask } from '../../operations/cards/unblock-task.ts'
import type { Invocation } from '../invocation.ts'
import { openInBrowser } from '../open-browser.ts'
import { oneLine } from '../output/escape.ts'
import type { Notice, Work } from './state.ts'

export async function carryOut(cli: Invocation, work: Work): Promise<Notice> {
  try {
    return { kind: 'done', text: await textAfter(cli, work) }
  } catch (error) {
    if (error instanceof BoardError) return { kind: 'failed', text: oneLine(error.message) }
    throw error
  }
}

async function textAfter(cli: Invocation, work: Work): Promise<string> {
  switch (work.kind) {
    case 'run':
      await useRemedy(cli, work.remedy)
      return work.done
    case 'pause': {
      const target = { kind: 'board', name: work.board } as const
      if (work.isPaused) await cli.ask(pauseWork, { ...target, reason: null, until: null })
      else await cli.ask(resumeWork, target)
      return work.isPaused ? `Paused board ${work.board}. Running agents continue.` : `Resumed board ${work.board}.`
    }
    case 'browse':
      return browse(cli, work)
  }
}

async function useRemedy(cli: Invocation, { operation, input }: Remedy): Promise<void> {
  const task = String(input['task'])
  const reason = typeof input['reason'] === 'string' ? input['reason'] : null
  if (operation === 'answer') await cli.ask(answerQuestion, { task, text: String(input['text']) })
  else if (operation === 'promote') await cli.ask(promoteTask, { task, reason, force: false })
  else await cli.ask(unblockTask, { task, reason, reset: input['reset'] === true })
}

/**
 * Opens the page of the card in the browser. If the server runs on this machine, the link also signs in the browser.
 */
async function browse(cli: Invocation, { board, card }: { readonly board: string; readonly card: string }) {
  const path = `/b/${encodeURIComponent(board)}/${encodeURIComponent(card)}`
  const { remote, world } = cli
  const url = remote === null ? localLink(cli, path) : `${remote.url}${path}`
  if (await openInBrowser(url, world.env)) return `Opened ${card} in the browser.`
  // The link is not shown, because it would not fit into the line.
  return remote === null
    ? 'No browser found. To get a link: muster open'
    : `No browser found. The server is ${remote.url}.`
}

function localLink(cli: Invocation, path: string): string {
  const server = readServerFiles(cli.options.home).find(({ isAlive }) => isAlive)
  if (server === undefined) throw new BoardError('dispatcher_absent', "Muster isn't running. Start it with: muster up")
  return `${signInUrl(server.url, newSignInCode(server.key, cli.world.now()))}${path}`
}
