/** The sort orders that a person can choose. `start` sorts cards by when they start. */
export const SORT_CHOICES = ['start', 'priority-desc', 'created-desc', 'updated-desc', 'title'] as const
export type BoardSort = (typeof SORT_CHOICES)[number]
