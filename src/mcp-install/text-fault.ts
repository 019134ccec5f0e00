/** The error if a configuration file cannot be read or changed. The message has the reason and the line. */
export class TextFault extends Error {
  override readonly name = 'TextFault'
  readonly line: number

  constructor(text: string, at: number, message: string) {
    super(message)
    this.line = lineNumberAt(text, at)
  }
}

export const lineNumberAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

/** Quotes the text at a position, for a message. */
export function found(text: string, at: number): string {
  if (at >= text.length) return 'the end of the file'
  const [line = ''] = text.slice(at).split(/[\r\n]/, 1)
  return line === '' ? 'the end of the line' : `\`${line.length > 20 ? `${line.slice(0, 20)}…` : line}\``
}
