/** The output of `tokens`. */
import type { TokenView } from '../../operations/tokens/views.ts'
import { oneLine } from '../output/escape.ts'
import { localTime } from './format-values.ts'
import type { Cell } from './tsv.ts'
import { fit, widthOf } from './width.ts'

export const tokenRow = ({ id, name, kind, scope, expiresAt, lastUsedAt }: TokenView): readonly Cell[] => [
  id,
  name,
  kind,
  scope,
  expiresAt,
  lastUsedAt,
]

export function tokenTable(tokens: readonly TokenView[]): string {
  const names = Math.max(...tokens.map(({ name }) => widthOf(oneLine(name))))
  return tokens
    .map(({ id, name, kind, scope, expiresAt, lastUsedAt }) => {
      const use = lastUsedAt === null ? 'never used' : `used ${localTime(lastUsedAt)}`
      const end = expiresAt === null ? 'does not expire' : `expires ${localTime(expiresAt)}`
      return [id, fit(oneLine(name), names), kind.padEnd(7), scope.padEnd(7), end, use].join('  ')
    })
    .join('\n')
}
