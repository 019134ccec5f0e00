/** The schema of a model's answer. It accepts common variations, such as null for a missing list, and converts them. */
import * as z from 'zod'
import { storable } from '../../core/text.ts'
import { CARDS_IN_PLAN, graphFault } from './plan.ts'

const TITLE_MAX = 200
const BODY_MAX = 20_000

const oneLine = (max: number) =>
  z
    .string()
    .max(max)
    .transform((given) => storable(given).replaceAll(/\s+/g, ' ').trim())
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((given) => given ?? null)

const titleText = oneLine(TITLE_MAX).refine((given) => given !== '', 'must not be empty')
const bodyText = z
  .string()
  .max(BODY_MAX)
  .transform((given) => storable(given).trim())
const commands = optional(z.array(oneLine(500)).max(8)).transform((given) => given?.filter((one) => one !== '') ?? [])
/** An empty name means no agent. */
const agentName = optional(z.string().max(100)).transform((given) => given?.trim().toLowerCase() || null)

const modelCard = z.object({
  key: z
    .union([z.string().max(40), z.int()])
    .transform((given) => storable(String(given)).trim())
    .refine((given) => given !== '', 'must not be empty'),
  title: titleText,
  body: bodyText,
  assignee: agentName,
  checks: commands,
  after: optional(z.array(z.union([z.string().max(40), z.int()])).max(50)).transform(
    (given) => given?.map((one) => storable(String(one)).trim()) ?? [],
  ),
})

const rationale = optional(z.string().max(4_000)).transform((given) => storable(given ?? '').trim())

export const modelSpecificationSchema = z.object({
  rationale,
  title: titleText,
  body: bodyText,
  assignee: agentName,
  checks: commands,
})
export type ModelSpecification = z.infer<typeof modelSpecificationSchema>

/** If `split` is false, the other fields describe the card itself. */
export const modelSplitSchema = z
  .object({
    rationale,
    split: z.boolean(),
    title: optional(titleText),
    body: optional(bodyText),
    assignee: agentName,
    checks: commands,
    cards: optional(z.array(modelCard).max(CARDS_IN_PLAN)).transform((given) => given ?? []),
  })
  .superRefine(({ split, title, body, cards }, ctx) => {
    const fault = (path: string, message: string): void => ctx.addIssue({ code: 'custom', path: [path], message })
    if (!split) {
      if (title === null) fault('title', 'is required if split is false')
      if (body === null) fault('body', 'is required if split is false')
      return
    }
    if (cards.length === 0) fault('cards', 'must not be empty if split is true')
    const { cards: known } = withKnownEdges(cards)
    const graph = graphFault(known)
    if (graph !== null) fault('cards', graph)
  })
export type ModelSplit = z.infer<typeof modelSplitSchema>
type ModelCard = ModelSplit['cards'][number]

export interface DroppedEdge {
  readonly card: string
  readonly after: string
}

/** Removes dependencies on cards that the plan does not contain, because a model may name a card that it left out. */
export function withKnownEdges(cards: readonly ModelCard[]): {
  readonly cards: readonly ModelCard[]
  readonly dropped: readonly DroppedEdge[]
} {
  const keys = new Set(cards.map(({ key }) => key))
  const isKnown = ({ key }: ModelCard, after: string): boolean => keys.has(after) && after !== key
  return {
    cards: cards.map((card) => ({ ...card, after: [...new Set(card.after.filter((one) => isKnown(card, one)))] })),
    dropped: cards.flatMap((card) =>
      card.after.filter((one) => !isKnown(card, one)).map((after) => ({ card: card.key, after })),
    ),
  }
}
