/** Readers of flag values that several verbs share. */
import { InvalidArgumentError } from 'commander'

export const collect = (value: string, before: readonly string[] = []): string[] => [...before, value]

export const wholeNumber =
  (min?: number) =>
  (text: string): number => {
    const value = Number(text)
    if (text.trim() === '' || !Number.isSafeInteger(value) || (min !== undefined && value < min))
      throw new InvalidArgumentError(min === undefined ? 'Give a whole number.' : `Give a whole number from ${min}.`)
    return value
  }

/** `none`, `-` and `null` say that nobody is meant. */
export const nameOrNone = (text: string): string | null => (/^(none|-|null)$/i.test(text.trim()) ? null : text)
