/** The handles that stay open after a test file, because later files of this process use them too. */

/** The kinds of short operations that end without a `close`. */
const passing = new Set(['FSReqCallback', 'FSReqPromise', 'GetAddrInfoReqWrap', 'Immediate', 'TickObject'])

const kept: string[] = []

export const keptResources = (): readonly string[] => kept

export const openResources = (): readonly string[] =>
  process.getActiveResourcesInfo().filter((resource) => !passing.has(resource))

/** Returns the resources that are not in `known`. Several resources of one kind are counted. */
export function without(resources: readonly string[], known: readonly string[]): readonly string[] {
  const left = [...known]
  return resources.filter((resource) => {
    const index = left.indexOf(resource)
    if (index === -1) return true
    left.splice(index, 1)
    return false
  })
}

/** Opens something that stays open. The leak check ignores its handles. */
export async function keepOpen<T>(open: () => Promise<T>): Promise<T> {
  const before = openResources()
  const opened = await open()
  kept.push(...without(openResources(), before).filter((resource) => resource !== 'Timeout'))
  return opened
}
