/** Copies and proxies of an object without some of its members, or with other members. */

/** Removes undefined fields, because some callers distinguish a missing field from an undefined field. */
export const definedOnly = <T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

/**
 * Returns a proxy that replaces some members. Other methods are bound to the original object, so that its private
 * fields work.
 */
export const overlay = <T extends object>(original: T, replaced: Partial<T>): T =>
  new Proxy(original, {
    get(target, key): unknown {
      if (Object.hasOwn(replaced, key)) return Reflect.get(replaced, key)
      const member: unknown = Reflect.get(target, key, target)
      return typeof member === 'function' ? (member.bind(target) as unknown) : member
    },
  })
