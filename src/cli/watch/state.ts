/**
 * The state of the full-screen board: what the person is looking at, and the data for it. `press.ts` and `receive.ts`
 * compute the next state, and `frame.ts` draws a state. All three are pure.
 */
import type { Remedy } from '../../core/reasons/reason.ts'
import type { Passage } from '../../harnesses/stream/passage.ts'
import type { ColumnsView } from '../../operations/boards/show-columns.ts'
import type { TaskDetails } from '../../operations/shared/views.ts'
import type { TitledEvent } from '../render/event-line.ts'
import type { CardContext } from '../render/task-page.ts'
import type { Field } from './editor.ts'

export interface Size {
  readonly columns: number
  readonly rows: number
}

/** The selected card, with its place in case the card disappears. */
export interface Selection {
  readonly column: string
  readonly index: number
  readonly card: string | null
}

export interface CardContent extends Pick<CardContext, 'reasons' | 'results'> {
  readonly task: TaskDetails
}

/** A page above the board. `top` is the first line that it shows. */
export type Page =
  | { readonly kind: 'card'; readonly card: string; readonly top: number; readonly content: CardContent | null }
  | {
      readonly kind: 'log'
      readonly card: string
      readonly title: string
      readonly top: number
      /** Whether the page stays at the end of the log. */
      readonly follows: boolean
      readonly passages: readonly Passage[]
      readonly isOver: boolean
    }
  | { readonly kind: 'events'; readonly top: number }
  | { readonly kind: 'help'; readonly top: number }

export type PageOf<K extends Page['kind']> = Extract<Page, { readonly kind: K }>

export type Editor =
  | { readonly kind: 'filter'; readonly field: Field; readonly before: string }
  | {
      readonly kind: 'answer'
      readonly field: Field
      readonly card: string
      readonly remedy: Remedy
      /** Whether the page of the card was opened only to show its question. */
      readonly opened: boolean
    }

export interface Notice {
  readonly kind: 'done' | 'failed'
  readonly text: string
}

export interface WatchState {
  readonly size: Size
  /** Whether the person can press keys. Without a keyboard, only Ctrl-C ends the screen. */
  readonly hasKeyboard: boolean
  /** The name of the program that the person types. Undefined means `muster`. */
  readonly program: string | undefined
  readonly now: number
  /** The columns of the board. This is null until the board has been read once. */
  readonly view: ColumnsView | null
  readonly filter: string
  readonly selected: Selection | null
  /** The index of the first card that each column shows, by the title of the column. */
  readonly tops: Readonly<Record<string, number>>
  readonly pages: readonly Page[]
  readonly editor: Editor | null
  readonly notice: Notice | null
  /** Why the store or the server does not answer. Null means that it answers. */
  readonly trouble: string | null
  /** The boards that are paused. */
  readonly paused: readonly string[]
  /** The last events, oldest first. */
  readonly events: readonly TitledEvent[]
}

export const emptyState = (given: Pick<WatchState, 'size' | 'hasKeyboard' | 'program' | 'now'>): WatchState => ({
  ...given,
  view: null,
  filter: '',
  selected: null,
  tops: {},
  pages: [],
  editor: null,
  notice: null,
  trouble: null,
  paused: [],
  events: [],
})

export const pageOf = ({ pages }: WatchState): Page | null => pages.at(-1) ?? null

export function withPage(state: WatchState, page: Page): WatchState {
  return { ...state, pages: [...state.pages.slice(0, -1), page] }
}

/** The work for the driver after a key. What the driver has to read follows from the state. */
export type Effect = Work | { readonly kind: 'redraw' } | { readonly kind: 'suspend' } | { readonly kind: 'quit' }

/** Work that ends with a message for the person. */
export type Work =
  | { readonly kind: 'run'; readonly remedy: Remedy; readonly done: string }
  | { readonly kind: 'pause'; readonly board: string; readonly isPaused: boolean }
  | { readonly kind: 'browse'; readonly board: string; readonly card: string }

export interface Step {
  readonly state: WatchState
  readonly effects: readonly Effect[]
}
