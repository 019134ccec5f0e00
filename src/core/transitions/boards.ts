import * as z from 'zod'
import { boardSettingsSchema, DEFAULT_SETTINGS, nameFromSlug } from '../board.ts'
import type { Board } from '../board.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import { line, slug, text } from '../fields.ts'

/** Makes the board the command names. Making it twice changes nothing. */
export const createBoard = defineVerb({
  name: 'create_board',
  input: z.object({ slug, name: line.optional(), description: text.default('') }),
  scope: () => ({ board: 'write' as const }),
  decide: ({ rows, board, input, now }) => {
    if (input.slug !== board.slug)
      return refuse('invalid_input', `The command is for board ${board.slug}, not for ${input.slug}.`, {
        board: board.slug,
      })
    if (rows.board) return accept({ slug: rows.board.slug, created: false })
    const row: Board = {
      slug: input.slug,
      name: input.name ?? nameFromSlug(input.slug),
      description: input.description,
      settings: DEFAULT_SETTINGS,
      createdAt: now,
      updatedAt: now,
      archivedAt: null,
    }
    return accept(
      { slug: row.slug, created: true },
      {
        changes: [{ op: 'put_board', row }],
        events: [{ kind: 'board_created', taskId: null, data: { name: row.name } }],
      },
    )
  },
})

/** What a caller may set, without the defaults that a missing key would otherwise bring. */
const settingsPatch = z.object(
  Object.fromEntries(Object.entries(boardSettingsSchema.shape).map(([key, field]) => [key, field.unwrap().optional()])),
)

export const setBoard = defineVerb({
  name: 'set_board',
  input: z.object({
    name: line.optional(),
    description: text.optional(),
    settings: settingsPatch.strict().default({}),
    archived: z.boolean().optional(),
  }),
  scope: () => ({ board: 'write' as const }),
  decide: ({ board, input, actor, now }) => {
    if (actor.kind === 'worker') return refuse('not_allowed', 'A worker may not change a board.')
    const settings = { ...board.settings, ...(input.settings as Partial<Board['settings']>) }
    const archivedAt =
      input.archived === undefined ? board.archivedAt : input.archived ? (board.archivedAt ?? now) : null
    const row: Board = {
      ...board,
      name: input.name ?? board.name,
      description: input.description ?? board.description,
      settings,
      archivedAt,
      updatedAt: now,
    }
    const fields = [
      ...(['name', 'description'] as const).filter((key) => row[key] !== board[key]),
      ...Object.keys(settings).filter(
        (key) =>
          JSON.stringify(settings[key as keyof typeof settings]) !==
          JSON.stringify(board.settings[key as keyof typeof settings]),
      ),
    ]
    const toggled =
      row.archivedAt === board.archivedAt ? null : row.archivedAt === null ? 'board_unarchived' : 'board_archived'
    if (fields.length === 0 && toggled === null) return accept({ slug: board.slug, fields })
    return accept(
      { slug: board.slug, fields },
      {
        changes: [{ op: 'put_board', row }],
        events: [
          ...(fields.length > 0 ? [{ kind: 'board_changed' as const, taskId: null, data: { fields } }] : []),
          ...(toggled ? [{ kind: toggled, taskId: null, data: {} } as const] : []),
        ],
      },
    )
  },
})
