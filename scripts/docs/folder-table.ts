import { FOLDERS } from '../import-rules.mjs'
import { cell, code, table } from './markdown.ts'

export const folders = (): string[] =>
  table(
    ['Folder', 'Contains', 'May import'],
    Object.entries(FOLDERS).map(([folder, { is, may }]) => [
      code(`src/${folder}`),
      cell(is),
      may.join(', ') || 'nothing',
    ]),
  )
