import { createContext, useContext, useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { newLayer, openLayer, PAGE_LAYER, register } from './registry.ts'
import type { Shortcut } from './registry.ts'
import { noteSeen } from './seen.ts'

const LayerContext = createContext(PAGE_LAYER)

/**
 * Registers shortcuts while the component is shown: `useShortcuts([{ keys: 'c', name: t('create'), group, onPress }])`.
 */
export function useShortcuts(given: readonly Shortcut[]): void {
  const layer = useContext(LayerContext)
  const latest = useRef(given)
  // The shortcuts work as soon as the component is visible.
  useLayoutEffect(() => {
    latest.current = given
  })
  // Shortcuts are registered again only if their keys or names change. Their functions may change at each render.
  const described = JSON.stringify(given.map(({ onPress: _press, comesFirst: _first, ...kept }) => kept))
  useLayoutEffect(() => {
    const fixed = JSON.parse(described) as readonly Omit<Shortcut, 'onPress'>[]
    const current = fixed.map((shortcut, at) => ({
      ...shortcut,
      onPress: () => latest.current[at]?.onPress(),
      comesFirst: () => latest.current[at]?.comesFirst?.() ?? false,
    }))
    noteSeen(current)
    return register(layer, current)
  }, [described, layer])
}

/** Opens a layer of shortcuts. Inside the layer, for example in a dialog, only its own shortcuts work. */
export function ShortcutLayer({ children }: { readonly children: ReactNode }) {
  const [layer] = useState(newLayer)
  useLayoutEffect(() => openLayer(layer), [layer])
  return <LayerContext value={layer}>{children}</LayerContext>
}
