/** Builds the cards of a template with the values of a caller. Each error names its line and column in the file. */
import { BoardError } from '../../core/errors.ts'
import type { TaskId } from '../../core/ids.ts'
import { cardInputSchema } from '../../core/input/card-input.ts'
import type { CardInput } from '../../core/input/card-input.ts'
import { readRoster } from '../../agents/roster.ts'
import { unknownAgentTexts } from '../../agents/unknown-agents.ts'
import { expandTemplate } from '../../templates/expand-template.ts'
import type { ExpandedCard, GivenValues } from '../../templates/expand-template.ts'
import { templateFaultText } from '../../templates/template.ts'
import type { TemplateFault } from '../../templates/template.ts'
import { newTaskId } from '../../util/mint.ts'
import { shellWord } from '../../util/shell-word.ts'
import { inherit } from '../cards/inherit.ts'
import type { BoardContext } from '../shared/operation.ts'
import { requireSkills } from '../skills/require-skills.ts'
import { requireTemplate } from './view-template.ts'
import type { AppliedTemplate } from './views.ts'

export interface ApplyInput {
  readonly template: string
  readonly folder: string | null
  readonly set: GivenValues
  readonly idempotencyKey: string | null
}

interface NamedCard {
  readonly name: string
  readonly parents: readonly string[]
  readonly input: CardInput
}

export async function cardsOfTemplate(context: BoardContext, asked: ApplyInput): Promise<readonly NamedCard[]> {
  const { store, board, options } = context
  const folder = asked.folder ?? (await store.board(board))?.settings.defaultDirectory ?? null
  const { name, file, from, isApproved, template, problems } = await requireTemplate(
    options.home,
    folder,
    asked.template,
  )
  if (!isApproved)
    throw new BoardError(
      'not_allowed',
      `Template ${name} of the repository is not approved, or has changed since. Read and approve it: muster templates approve ${shellWord(folder ?? '.')}`,
      { details: { template: name, file, from } },
    )
  if (template === null) throw refused(problems.join('\n'))
  const made = expandTemplate(template, asked.set, await store.now())
  if ('refused' in made) throw refused(made.refused)
  if ('faults' in made) throw faulty(file, made.faults)
  return inputsOf(context, made.cards, { ...asked, file })
}

async function inputsOf(
  context: BoardContext,
  cards: readonly ExpandedCard[],
  { file, set, idempotencyKey }: ApplyInput & { readonly file: string },
): Promise<readonly NamedCard[]> {
  // Muster lists cards with the same creation time by id, so sorted ids keep the order of the template.
  const ids = cards.map(() => newTaskId()).toSorted()
  const idOf = new Map(cards.map(({ name }, at) => [name, ids[at]]))
  const faults: TemplateFault[] = []
  const made: NamedCard[] = []
  for (const [at, { name, parents, fields, places, ...place }] of cards.entries()) {
    const { tenant, session, workspace, ...rest } = fields as Partial<CardInput>
    const inherited = await inherit(context, {
      tenant: tenant ?? null,
      session: session ?? null,
      workspace: workspace ?? null,
    })
    const parsed = cardInputSchema.safeParse({
      ...rest,
      ...inherited,
      id: ids[at],
      parents: parents.flatMap((parent): TaskId[] =>
        idOf.get(parent) === undefined ? [] : [idOf.get(parent) as TaskId],
      ),
      idempotencyKey: at === 0 ? idempotencyKey : null,
      ...approvalOf(context, set),
    })
    if (parsed.success) made.push({ name, parents, input: parsed.data })
    else
      faults.push(
        ...parsed.error.issues.map(({ path, message }): TemplateFault => {
          const field = String(path[0] ?? '')
          const { line, column } = places[field] ?? place
          return { line, column, message: `${field} ${message}` }
        }),
      )
  }
  if (faults.length > 0) throw faulty(file, faults)
  for (const { input } of made) await requireSkills(context, input.skills, input.workspace)
  return made
}

/**
 * A person wrote or approved the template, so its commands need no further approval if an agent applies it without
 * values. Values from an agent may become part of a command.
 */
const approvalOf = ({ actor }: BoardContext, set: GivenValues): { readonly commandsApproved?: true } =>
  actor.kind !== 'person' && Object.keys(set).length === 0 ? { commandsApproved: true } : {}

const refused = (message: string): BoardError =>
  new BoardError('invalid_input', message, { details: { field: 'template' } })

const faulty = (file: string, faults: readonly TemplateFault[]): BoardError =>
  refused(faults.map((fault) => templateFaultText(file, fault)).join('\n'))

export const viewCards = (cards: readonly NamedCard[]): AppliedTemplate['cards'] =>
  cards.map(({ name, parents, input: { title, assignee, labels, checks } }) => ({
    name,
    id: null,
    title,
    assignee,
    status: null,
    parents,
    labels,
    checks,
  }))

/** Warns about the assignees and reviewers that do not exist on this machine. */
export async function unknownAgents(
  { options }: BoardContext,
  cards: readonly NamedCard[],
): Promise<readonly string[]> {
  const roster = await readRoster(options.home)
  return unknownAgentTexts(
    cards.flatMap(({ input: { assignee, reviewer } }) => [assignee, reviewer]),
    roster,
  )
}
