/**
 * Tool calls of an agent as they come together: it tells of each in pieces, in an order of its own. A call is told once,
 * when it has begun and all of its input is there, and once more when it is over.
 */
import { asList, asObject, asText, wordsIn } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'

/** A tool was called: its name, and what it was given. */
export interface Called {
  readonly tool: string
  readonly input: unknown
}

export interface Returned {
  readonly ok: boolean
  /** The beginning of what came back; all of it is in the update. */
  readonly text: string
  /** Files that it changed. */
  readonly changed: readonly string[]
}

export interface Known {
  /** All that is known of it, later pieces over earlier ones. */
  readonly call: Fields
  /** As it was first called: later titles often say what it is given. */
  readonly firstTitle: string | null
}

/** Of what came back the beginning is enough to be read. */
const TEXT_LENGTH = 8_000
const OVER = ['completed', 'failed']

interface Told {
  known: Known
  isCalled: boolean
  isOver: boolean
}

export class ToolCalls {
  readonly #calls = new Map<string, Told>()

  /** What an update tells of a call that was not told before. */
  take(update: Fields): { called?: Called; returned?: Returned } {
    const kind = update['sessionUpdate']
    if (kind !== 'tool_call' && kind !== 'tool_call_update') return {}
    const told = this.#merge(update)
    const status = asText(told.known.call['status']) ?? 'pending'
    const isOver = OVER.includes(status) && !told.isOver
    const called = status === 'pending' ? {} : this.#call(told)
    if (!isOver) return called
    told.isOver = true
    const returned = resultOf(told.known, status === 'completed')
    // A long run makes many calls: of those that are over only that they were is kept.
    told.known = { call: {}, firstTitle: null }
    return { ...called, returned }
  }

  /** A permission request has the whole input, and may be the first report of the call. */
  asked(call: Fields): Known & { called?: Called } {
    const told = this.#merge(call)
    return { ...told.known, ...this.#call(told) }
  }

  #call(told: Told): { called?: Called } {
    if (told.isCalled) return {}
    told.isCalled = true
    return { called: callOf(told.known) }
  }

  /** Pieces without a name belong to nothing: the kind of one call must not pass for that of another. */
  #merge(piece: Fields): Told {
    const id = asText(piece['toolCallId'])
    const before = id === null ? undefined : this.#calls.get(id)
    const given = Object.entries(piece).filter(([name, value]) => value != null && name !== 'sessionUpdate')
    const call = { ...before?.known.call, ...Object.fromEntries(given) }
    const known = { call, firstTitle: before?.known.firstTitle ?? asText(piece['title']) }
    const told = before ?? { known, isCalled: false, isOver: false }
    told.known = known
    if (id !== null) this.#calls.set(id, told)
    return told
  }
}

/** `kanban_show (muster MCP Server)`, as Gemini says it, or the name with its server before it, as most do. */
const BOARD_TOOL = /^(?:(?:mcp_{1,2})?muster(?:_{1,2}|[./:]))(kanban_\w+)$|^(kanban_\w+) \(muster MCP Server\)$/

/** Which tool of the board it is; null: another. */
export function boardTool({ call, firstTitle }: Known): string | null {
  for (const text of [asText(call['name']), firstTitle, asText(call['title'])]) {
    const [, plain, titled] = BOARD_TOOL.exec(text ?? '') ?? []
    const tool = plain ?? titled
    if (tool !== undefined) return tool
  }
  return null
}

const isName = (text: string | null): text is string => text !== null && /^[\w.:/-]{1,60}$/.test(text)

function callOf(known: Known): Called {
  const { call, firstTitle } = known
  const kind = asText(call['kind'])
  const names = [boardTool(known), asText(call['name']), firstTitle, kind === 'other' ? null : kind]
  const tool = names.find(isName) ?? 'tool'
  const input = asObject(call['rawInput'])
  const isTold = input !== null && Object.keys(input).length > 0
  return { tool, input: isTold ? input : inWords(known, tool) }
}

/** Where its input is not told, the title mostly says it; of a tool of the board that is only its name. */
function inWords(known: Known, tool: string): string | null {
  const { call } = known
  const title = asText(call['title'])
  if (boardTool(known) !== null) return contentIn(call) || null
  return title === tool ? null : title
}

function resultOf({ call }: Known, ok: boolean): Returned {
  const words = contentIn(call)
  const text = (words === '' ? wordsIn(call['rawOutput']) : words).slice(0, TEXT_LENGTH)
  return { ok, text, changed: ok ? pathsChanged(call) : [] }
}

const partsOf = (call: Fields): readonly Fields[] => asList(call['content']).map((one) => asObject(one) ?? {})

const contentIn = (call: Fields): string =>
  wordsIn(partsOf(call).flatMap(({ type, content }) => (type === 'content' ? [content] : [])))

/** The kinds of calls that change files. */
export const CHANGES: readonly string[] = ['edit', 'delete', 'move']

function pathsChanged(call: Fields): readonly string[] {
  const shown = pathsShown(call)
  if (shown.length > 0) return shown
  return CHANGES.includes(asText(call['kind']) ?? '') ? pathsOf(call) : []
}

/** The files of which a call shows how they change. */
export const pathsShown = (call: Fields): readonly string[] => [
  ...new Set(partsOf(call).flatMap(({ type, path }) => (type === 'diff' && typeof path === 'string' ? [path] : []))),
]

/** The files that a call says it is about. */
export function pathsOf(call: Fields): readonly string[] {
  const told = [...asList(call['locations']), ...asList(call['content'])]
    .map((one) => asText(asObject(one)?.['path']))
    .filter((path) => path !== null)
  return [...new Set(told)]
}
