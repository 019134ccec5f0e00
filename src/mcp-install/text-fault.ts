/** Why a configuration file cannot be read or changed as it is, and where. */
export class TextFault extends Error {
  override readonly name = 'TextFault'
  readonly line: number

  constructor(text: string, at: number, what: string) {
    super(what)
    this.line = lineAt(text, at)
  }
}

export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

/** What stands there, as a person would point at it. */
export function found(text: string, at: number): string {
  if (at >= text.length) return 'the end of the file'
  const [line = ''] = text.slice(at).split(/[\r\n]/, 1)
  return line === '' ? 'the end of the line' : `\`${line.length > 20 ? `${line.slice(0, 20)}…` : line}\``
}
