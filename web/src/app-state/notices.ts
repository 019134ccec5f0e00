/**
 * Whether this browser shows desktop notifications. Only a person turns them on; the page never asks for the permission
 * on its own.
 */
import { makeValue } from './value.ts'

const KEY = 'muster-notices'

type Permission = 'granted' | 'denied' | 'default' | 'unsupported'

export const noticePermission = (): Permission =>
  'Notification' in globalThis ? Notification.permission : 'unsupported'

const isOn = (): boolean => localStorage.getItem(KEY) === 'on' && noticePermission() === 'granted'

export const noticesOn = makeValue(isOn())

/** Asks the browser for the permission, which works only after a click. Returns the answer of the person. */
export async function turnNoticesOn(): Promise<Permission> {
  if (noticePermission() === 'unsupported') return 'unsupported'
  const permission = await Notification.requestPermission()
  if (permission === 'granted') localStorage.setItem(KEY, 'on')
  noticesOn.set(isOn())
  return permission
}

export function turnNoticesOff(): void {
  localStorage.removeItem(KEY)
  noticesOn.set(false)
}

/** The tab that shows notifications may be another tab than the one with the settings. */
addEventListener('storage', ({ key }) => {
  if (key === KEY) noticesOn.set(isOn())
})
