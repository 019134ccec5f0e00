/** An object with some of its members replaced; all others work on the whole, whatever they are called through. */
export const overlay = <T extends object>(whole: T, changed: Partial<T>): T =>
  new Proxy(whole, {
    get(target, key): unknown {
      if (Object.hasOwn(changed, key)) return Reflect.get(changed, key)
      const member: unknown = Reflect.get(target, key, target)
      return typeof member === 'function' ? (member.bind(target) as unknown) : member
    },
  })
