import { pathOfMany } from '../../src/http/routes/mount.ts'
import { OTHER_PATHS } from '../../src/http/other-paths.ts'
import { ROUTES } from '../../src/http/routes/table.ts'
import { scopeNeeded } from '../../src/operations/shared/access.ts'
import { operationNamed } from '../../src/operations/shared/perform.ts'
import { cell, code, table } from './markdown.ts'

export function httpRoutes(): string[] {
  const fromTable = ROUTES.map(({ method, path, operation: name, many, summary }) => {
    const operation = operationNamed(name)
    if (operation === undefined) throw new Error(`there is no operation ${name}`)
    const both = many === true ? `<br>${code(`POST ${pathOfMany({ path })}`)}` : ''
    return [
      `${code(`${method.toUpperCase()} ${path}`)}${both}`,
      scopeNeeded(operation),
      cell(summary ?? operation.summary),
    ]
  })
  const others = Object.entries(OTHER_PATHS).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary, 'x-muster-scope': scope = 'none' }]) => {
      return [code(`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`), scope, cell(summary)]
    }),
  )
  return table(['Request', 'Scope', 'Meaning'], [...fromTable, ...others])
}
