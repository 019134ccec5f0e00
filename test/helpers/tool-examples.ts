/** Finds example tool calls in a text, such as kanban_block(reason="Which port?", kind="needs_input"). */
export interface ToolExample {
  readonly text: string
  readonly name: string
  readonly given: Readonly<Record<string, unknown>>
}

export function examplesIn(text: string): readonly ToolExample[] {
  return [...text.matchAll(/\b(kanban_\w+)\(/g)].map(({ 0: opening, 1: name = '', index }) => {
    const inside = text.slice(index + opening.length)
    const { given, length } = readArguments(inside)
    return { text: opening + inside.slice(0, length), name, given }
  })
}

function readArguments(text: string): { given: Record<string, unknown>; length: number } {
  const given: Record<string, unknown> = {}
  let at = 0
  while (text[at] !== ')') {
    const [named = '', argument = ''] = /^(?:, )?(\w+)=/.exec(text.slice(at)) ?? []
    if (named === '') throw new Error(`not a valid example: ${text.slice(0, 80)}`)
    at += named.length
    const value = valueAt(text, at)
    given[argument] = value.value
    at = value.end
  }
  return { given, length: at + 1 }
}

/** Finds the shortest JSON value that is followed by the next argument or the end. */
function valueAt(text: string, from: number): { value: unknown; end: number } {
  for (let end = from + 1; end <= text.length; end += 1) {
    if (!/^(?:\)|, \w+=)/.test(text.slice(end))) continue
    try {
      return { value: JSON.parse(text.slice(from, end)) as unknown, end }
    } catch {
      // The value is not complete yet, because this bracket or comma is inside a string.
    }
  }
  throw new Error(`not a valid value: ${text.slice(from, from + 80)}`)
}
