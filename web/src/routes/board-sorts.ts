/** The orders that a person can choose. In the order `start`, cards are sorted as they start. */
export const SORT_CHOICES = ['start', 'priority-desc', 'created-desc', 'updated-desc', 'title'] as const
export type BoardSort = (typeof SORT_CHOICES)[number]
