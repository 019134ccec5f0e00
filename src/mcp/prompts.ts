/** Prompts that a person can choose in their own assistant. */
import { isRecord } from '../util/json-fields.ts'
import { RPC_CODES, RpcError } from './json-rpc.ts'

interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[]
  readonly text: (given: Readonly<Record<string, string>>) => string
}

const card = { name: 'card', description: 'Id of the card', required: true }

export const PROMPTS: readonly Prompt[] = [
  {
    name: 'work',
    title: 'Work a card',
    description: 'Work on a card and report the result',
    arguments: [card],
    text: ({ card: id }) =>
      `Read card ${id} with kanban_show and do what it asks. When it is done, call kanban_complete with a summary of one to three sentences. If you cannot continue, call kanban_block with the one thing you need.`,
  },
  {
    name: 'triage',
    title: 'Triage',
    description: 'Turn rough ideas into cards that agents can work on',
    arguments: [],
    text: () =>
      'List the cards in triage with kanban_list. For each, say in one line what is unclear. Then propose for each card: a clear body, an agent from kanban_agents, its parents, and how to check that it is done. Change nothing before I agree.',
  },
  {
    name: 'plan',
    title: 'Plan',
    description: 'Split a goal into cards for your agents',
    arguments: [{ name: 'goal', description: 'What you want to achieve', required: true }],
    text: ({ goal }) =>
      `My goal: ${goal}\nRead kanban_agents and kanban_list first. Propose the fewest cards that reach the goal, each for one agent, with a complete body, its parents, and a check if a command can verify it. After I agree, create them with kanban_create, parents first.`,
  },
]

export function promptText(name: unknown, given: unknown): object {
  const prompt = PROMPTS.find((one) => one.name === name)
  if (prompt === undefined) throw new RpcError(RPC_CODES.params, `Unknown prompt ${String(name)}. See prompts/list.`)
  const values: Record<string, string> = {}
  for (const { name: argument, required } of prompt.arguments) {
    const value = isRecord(given) ? given[argument] : undefined
    if (typeof value === 'string' && value.trim() !== '') values[argument] = value.trim()
    else if (required) throw new RpcError(RPC_CODES.params, `The prompt ${prompt.name} needs ${argument}.`)
  }
  const message = { role: 'user', content: { type: 'text', text: prompt.text(values) } }
  return { description: prompt.description, messages: [message] }
}
