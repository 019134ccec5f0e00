/**
 * Whether the window is as narrow as a phone. Such a window has one column and a bar at the bottom, and begins with the
 * page *Needs you*.
 */
export const isPhone = (): boolean => matchMedia('(max-width: 639px)').matches
