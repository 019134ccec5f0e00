/**
 * The shortcuts of the whole app. A component registers its shortcuts while it is shown. A dialog opens a layer, and
 * only the shortcuts of the top layer work. If two shortcuts have the same keys, the later one is used, unless the
 * earlier one has `comesFirst`.
 */
import { makeValue } from '../app-state/value.ts'

export interface Shortcut {
  readonly keys: string
  /** The name of the action, for the list of shortcuts. */
  readonly name: string
  readonly group: string
  readonly onPress: () => void
  /** Whether the focused element handles the keys itself. Such a shortcut is only listed. */
  readonly isElsewhere?: boolean
  /** Whether the shortcut also works while the person types in a field. */
  readonly inFields?: boolean
  /**
   * Whether this shortcut takes precedence over later ones with the same keys, such as the open card's over the board's
   * behind it.
   */
  readonly comesFirst?: () => boolean
}

interface Registered extends Shortcut {
  readonly layer: number
}

export const shortcuts = makeValue<readonly Registered[]>([])

export const PAGE_LAYER = 0
let layers: readonly number[] = [PAGE_LAYER]
let lastLayer = PAGE_LAYER

export function newLayer(): number {
  lastLayer += 1
  return lastLayer
}

/** Puts the layer on top. Returns the function that removes it. */
export function openLayer(layer: number): () => void {
  layers = [...layers, layer]
  return () => void (layers = layers.filter((known) => known !== layer))
}

const topLayer = (): number => layers.at(-1) ?? PAGE_LAYER

export function register(layer: number, given: readonly Shortcut[]): () => void {
  const added = given.map((shortcut) => ({ ...shortcut, layer }))
  shortcuts.set([...shortcuts.get(), ...added])
  return () => shortcuts.set(shortcuts.get().filter((known) => !added.some((one) => one === known)))
}

/** The second key of a shortcut must follow within this time. */
const SEQUENCE_MS = 1_000

export interface KeyState {
  readonly before: string | null
  readonly at: number
}

export interface Found {
  readonly shortcut: Shortcut | null
  readonly state: KeyState
  /** Whether the key starts a shortcut of two keys. */
  readonly begins: boolean
}

/** Finds the shortcut that a key completes. The function is pure, so that tests need no keyboard. */
export function findShortcut(
  chord: string,
  {
    known,
    state,
    now,
    inField,
  }: {
    readonly known: readonly Shortcut[]
    readonly state: KeyState
    readonly now: number
    readonly inField: boolean
  },
): Found {
  const usable = known.filter(({ inFields = false, isElsewhere = false }) => !isElsewhere && (inFields || !inField))
  const before = now - state.at <= SEQUENCE_MS ? state.before : null
  const sequence = before === null ? null : usable.findLast(({ keys }) => keys === `${before} ${chord}`)
  const matches = usable.filter(({ keys }) => keys === chord)
  const shortcut = sequence ?? matches.findLast(({ comesFirst }) => comesFirst?.() === true) ?? matches.at(-1) ?? null
  const begins = shortcut === null && usable.some(({ keys }) => keys.startsWith(`${chord} `))
  return { shortcut, begins, state: { before: begins ? chord : null, at: now } }
}

export const usableShortcuts = (): readonly Shortcut[] => {
  const top = topLayer()
  return shortcuts.get().filter(({ layer }) => layer === top)
}
