/**
 * Collects the tool calls of an agent. The agent sends each call in pieces, in any order. Each call is reported twice:
 * when its input is complete, and when it ends.
 */
import { asList, asObject, asText, textIn } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'

/** The name and the input of a call. */
export interface Called {
  readonly tool: string
  readonly input: unknown
}

export interface Returned {
  readonly ok: boolean
  /** The beginning of the result. The whole result is in the recorded update. */
  readonly text: string
  /** The files that the call changed. */
  readonly changed: readonly string[]
}

export interface KnownCall {
  /** All pieces of the call, merged. Later values replace earlier values. */
  readonly call: Fields
  /** Most agents send the tool's name as the first title. Later titles often contain the input. */
  readonly firstTitle: string | null
}

/** The maximum length of a recorded result. */
const TEXT_LENGTH = 8_000
const OVER = ['completed', 'failed']

interface TrackedCall {
  known: KnownCall
  isCalled: boolean
  isOver: boolean
}

export class ToolCalls {
  readonly #calls = new Map<string, TrackedCall>()

  /** Handles an update. Returns the start or the result of a call if this update is the first to report it. */
  take(update: Fields): { called?: Called; returned?: Returned } {
    const kind = update['sessionUpdate']
    if (kind !== 'tool_call' && kind !== 'tool_call_update') return {}
    const tracked = this.#merge(update)
    const status = asText(tracked.known.call['status']) ?? 'pending'
    const isOver = OVER.includes(status) && !tracked.isOver
    const called = status === 'pending' ? {} : this.#call(tracked)
    if (!isOver) return called
    tracked.isOver = true
    const returned = resultOf(tracked.known, status === 'completed')
    // The details of a finished call are freed, because a long run makes many calls.
    tracked.known = { call: {}, firstTitle: null }
    return { ...called, returned }
  }

  /** Handles a permission request. The request has the whole input, and may be the first message about the call. */
  takeRequest(call: Fields): KnownCall & { called?: Called } {
    const tracked = this.#merge(call)
    return { ...tracked.known, ...this.#call(tracked) }
  }

  #call(tracked: TrackedCall): { called?: Called } {
    if (tracked.isCalled) return {}
    tracked.isCalled = true
    return { called: callOf(tracked.known) }
  }

  /** Pieces without an id are not merged, because they may belong to different calls. */
  #merge(piece: Fields): TrackedCall {
    const id = asText(piece['toolCallId'])
    const before = id === null ? undefined : this.#calls.get(id)
    const given = Object.entries(piece).filter(([name, value]) => value != null && name !== 'sessionUpdate')
    const call = { ...before?.known.call, ...Object.fromEntries(given) }
    const known = { call, firstTitle: before?.known.firstTitle ?? asText(piece['title']) }
    const tracked = before ?? { known, isCalled: false, isOver: false }
    tracked.known = known
    if (id !== null) this.#calls.set(id, tracked)
    return tracked
  }
}

/** Gemini writes `kanban_show (muster MCP Server)`. Most agents put the server before the name of the tool. */
const BOARD_TOOL = /^(?:(?:mcp_{1,2})?muster(?:_{1,2}|[./:]))(kanban_\w+)$|^(kanban_\w+) \(muster MCP Server\)$/

/** The name of the board tool that the agent calls. Null means that the agent calls another tool. */
export function boardTool({ call, firstTitle }: KnownCall): string | null {
  for (const text of [asText(call['name']), firstTitle, asText(call['title'])]) {
    const [, plain, titled] = BOARD_TOOL.exec(text ?? '') ?? []
    const tool = plain ?? titled
    if (tool !== undefined) return tool
  }
  return null
}

const isName = (text: string | null): text is string => text !== null && /^[\w.:/-]{1,60}$/.test(text)

function callOf(known: KnownCall): Called {
  const { call, firstTitle } = known
  const kind = asText(call['kind'])
  const names = [boardTool(known), asText(call['name']), firstTitle, kind === 'other' ? null : kind]
  const tool = names.find(isName) ?? 'tool'
  const input = asObject(call['rawInput'])
  const hasInput = input !== null && Object.keys(input).length > 0
  return { tool, input: hasInput ? input : describeCall(known, tool) }
}

/**
 * Describes a call without input. Usually the title describes the call. But the title of a board tool is only the
 * tool's name.
 */
function describeCall(known: KnownCall, tool: string): string | null {
  const { call } = known
  const title = asText(call['title'])
  if (boardTool(known) !== null) return contentIn(call) || null
  return title === tool ? null : title
}

function resultOf({ call }: KnownCall, ok: boolean): Returned {
  const content = contentIn(call)
  const text = (content === '' ? textIn(call['rawOutput']) : content).slice(0, TEXT_LENGTH)
  return { ok, text, changed: ok ? pathsChanged(call) : [] }
}

const partsOf = (call: Fields): readonly Fields[] => asList(call['content']).map((one) => asObject(one) ?? {})

const contentIn = (call: Fields): string =>
  textIn(partsOf(call).flatMap(({ type, content }) => (type === 'content' ? [content] : [])))

/** The kinds of calls that change files. */
export const CHANGES: readonly string[] = ['edit', 'delete', 'move']

function pathsChanged(call: Fields): readonly string[] {
  const shown = pathsShown(call)
  if (shown.length > 0) return shown
  return CHANGES.includes(asText(call['kind']) ?? '') ? filesOfCall(call) : []
}

/** The files for which a call contains a diff. */
export const pathsShown = (call: Fields): readonly string[] => [
  ...new Set(partsOf(call).flatMap(({ type, path }) => (type === 'diff' && typeof path === 'string' ? [path] : []))),
]

/** All files that a call names. */
export function filesOfCall(call: Fields): readonly string[] {
  const paths = [...asList(call['locations']), ...asList(call['content'])]
    .map((one) => asText(asObject(one)?.['path']))
    .filter((path) => path !== null)
  return [...new Set(paths)]
}
