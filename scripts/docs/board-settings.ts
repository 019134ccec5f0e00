import { settingText } from '../../src/cli/render/board.ts'
import { DEFAULT_SETTINGS, boardSettingsSchema } from '../../src/core/board.ts'
import { cell, code, table } from './markdown.ts'

export function boardSettings(): string[] {
  const rows = Object.entries(boardSettingsSchema.shape).map(([key, field]) => [
    code(key),
    code(settingText(key, DEFAULT_SETTINGS[key as keyof typeof DEFAULT_SETTINGS])),
    cell(field.description ?? ''),
  ])
  return table(['Setting', 'Default', 'Meaning'], rows)
}
