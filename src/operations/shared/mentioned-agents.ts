/** The agents of this machine that a comment mentions. */
import type { LocalAgent } from '../../agents/roster.ts'
import type { BoardError } from '../../core/errors.ts'
import { mentionsIn } from '../../core/mention.ts'
import { nearest } from '../../util/nearest.ts'

export interface MentionedAgent {
  readonly agent: string
  /** Why no card can be created for the agent. Null means that one can be created. */
  readonly problem: BoardError | null
}

/**
 * Names that are close to the name of an agent are listed with a problem. All other unknown names are left out, because
 * a comment may also mention people.
 */
export async function mentionedAgents(body: string, home: string): Promise<readonly MentionedAgent[]> {
  const names = mentionsIn(body)
  if (names.length === 0) return []
  const { readRoster } = await import('../../agents/roster.ts')
  const { agents } = await readRoster(home)
  const { noSuchAgent } = await import('../agents/agent-view.ts')
  const found = names.map(async (agent): Promise<readonly MentionedAgent[]> => {
    const known = agents.get(agent)
    if (known !== undefined) return [{ agent, problem: await scriptProblem(known) }]
    return nearest(agent, [...agents.keys()]) === null ? [] : [{ agent, problem: noSuchAgent(agent, agents.keys()) }]
  })
  return (await Promise.all(found)).flat()
}

/** A comment is text for a reader. An agent that runs the body of its card as a script would run this text. */
async function scriptProblem(agent: LocalAgent): Promise<BoardError | null> {
  const { harnessOf } = await import('../../harnesses/index.ts')
  if (!harnessOf(agent).runsTheCard) return null
  const { BoardError } = await import('../../core/errors.ts')
  const { name } = agent
  return new BoardError(
    'not_allowed',
    `Agent ${name} runs the text of its cards as a script, so a comment creates no card for it. To create one: muster create '…' --assignee ${name} --body '…'`,
    { details: { name } },
  )
}
