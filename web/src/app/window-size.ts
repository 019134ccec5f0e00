/**
 * Whether the window is as narrow as a phone. Then the page has one column and a bar at the bottom, and starts with
 * *Needs you*.
 */
export const isPhone = (): boolean => matchMedia('(max-width: 639px)').matches
