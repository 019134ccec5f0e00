/** Texts a person may begin with in their own assistant. */
import { CODES, RpcError, isRecord } from './json-rpc.ts'

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
    description: 'Do what a card asks, and hand it off',
    arguments: [card],
    text: ({ card: id }) =>
      `Read card ${id} with kanban_show and do what it asks. When it is done, call kanban_complete for it with a summary of one to three sentences; if you cannot go on, call kanban_block with the one thing you need.`,
  },
  {
    name: 'triage',
    title: 'Triage',
    description: 'Make the rough ideas on the board into cards that can be worked on',
    arguments: [],
    text: () =>
      'List the cards in triage with kanban_list. For each, say in one line what is unclear. Then propose to me, card by card: a clear body, an agent from kanban_agents, what it waits for, and how one will know that it is done. Change nothing before I agree.',
  },
  {
    name: 'plan',
    title: 'Plan',
    description: 'Split a goal into cards for the agents there are',
    arguments: [{ name: 'goal', description: 'What is to be reached', required: true }],
    text: ({ goal }) =>
      `I want to reach this: ${goal}\nLook at kanban_agents and at what kanban_list shows is there already. Propose the fewest cards that get there, each for one agent, with a body that says everything it must know, its parents, and a check where one can be written. After I agree, create them with kanban_create, parents first.`,
  },
]

export function promptText(name: unknown, given: unknown): object {
  const prompt = PROMPTS.find((one) => one.name === name)
  if (prompt === undefined)
    throw new RpcError(CODES.params, `There is no prompt ${String(name)}: ask for prompts/list.`)
  const values: Record<string, string> = {}
  for (const { name: argument, required } of prompt.arguments) {
    const value = isRecord(given) ? given[argument] : undefined
    if (typeof value === 'string' && value.trim() !== '') values[argument] = value.trim()
    else if (required) throw new RpcError(CODES.params, `The prompt ${prompt.name} needs ${argument}.`)
  }
  const message = { role: 'user', content: { type: 'text', text: prompt.text(values) } }
  return { description: prompt.description, messages: [message] }
}
