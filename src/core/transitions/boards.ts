import * as z from 'zod'
import { DEFAULT_SETTINGS, blankBoard, settingsPatchSchema } from '../board.ts'
import type { Board } from '../board.ts'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Refused } from '../decision.ts'
import { line, slug, text } from '../input/fields.ts'
import { DEFAULT_BOARD } from '../ids.ts'

/** Creates the board of the command. If the board exists, nothing changes. */
export const createBoard = defineVerb({
  name: 'create_board',
  input: z.object({
    slug,
    name: line.optional(),
    description: text.default(''),
    settings: settingsPatchSchema.default({}),
  }),
  scope: () => ({ board: 'write' as const }),
  boardIfMissing: (missing) => blankBoard(missing, 0),
  decide: ({ rows, board, input, now }) => {
    if (input.slug !== board.slug)
      return refuse('invalid_input', `The command is for board ${board.slug}, not for ${input.slug}.`, {
        board: board.slug,
      })
    if (rows.board) return accept({ slug: rows.board.slug, created: false })
    const row: Board = {
      ...blankBoard(input.slug, now),
      ...(input.name === undefined ? {} : { name: input.name }),
      description: input.description,
      settings: { ...DEFAULT_SETTINGS, ...input.settings },
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

/**
 * Whether the board is the default board. It cannot be archived or deleted, because cards go there if the caller names
 * no board.
 */
const isDefault = ({ slug: name }: Board): boolean => name === DEFAULT_BOARD

const refuseDefault = (change: string): Refused =>
  refuse('not_allowed', `The board ${DEFAULT_BOARD} cannot be ${change}: Muster uses it if no other board is chosen.`, {
    board: DEFAULT_BOARD,
  })

export const setBoard = defineVerb({
  name: 'set_board',
  input: z.object({
    name: line.optional(),
    description: text.optional(),
    settings: settingsPatchSchema.default({}),
    archived: z.boolean().optional(),
  }),
  scope: () => ({ board: 'write' as const }),
  decide: ({ board, input, actor, now }) => {
    if (actor.kind === 'worker') return refuse('not_allowed', 'A worker may not change a board.')
    if (input.archived === true && isDefault(board)) return refuseDefault('archived')
    const settings = { ...board.settings, ...input.settings }
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

/**
 * Deletes a board for good, with its cards, links, runs, comments and attachments. The board must be archived or empty,
 * and no card of it may be running. The events stay, because readers of the event feed must see all of them. The
 * cleanup of old events removes them later.
 */
export const deleteBoard = defineVerb({
  name: 'delete_board',
  input: z.object({}),
  scope: (_, board) => ({ board: 'write' as const, graph: true, slots: [{ kind: 'board' as const, name: board }] }),
  facts: () => ({ use: { fact: 'board_use' as const } }),
  decide: ({ board, facts: { use }, actor }) => {
    const details = { board: board.slug }
    if (actor.kind === 'worker') return refuse('not_allowed', 'A worker may not remove a board.')
    if (isDefault(board)) return refuseDefault('deleted')
    if (use.hasCards && board.archivedAt === null)
      return refuse('board_in_use', `Board ${board.slug} has cards: archive it first, then delete it.`, details)
    if (use.running !== null)
      return refuse(
        'run_live',
        `Card ${use.running} of board ${board.slug} is running. End its run first: muster reclaim ${use.running}`,
        {
          ...details,
          id: use.running,
        },
      )
    return accept(details, {
      changes: [{ op: 'delete_board' }],
      events: [{ kind: 'board_deleted', taskId: null, data: { name: board.name } }],
    })
  },
})
