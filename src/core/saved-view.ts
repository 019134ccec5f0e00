/**
 * A saved view: a name for filters, an order and a grouping of a board. All users of the store share the saved views.
 */
export interface SavedView {
  readonly name: string
  /** The board of the view. Null means all boards. */
  readonly board: string | null
  /** The filters, written as in the URL of the dashboard: `status=blocked&label=urgent`. */
  readonly query: string
  readonly createdBy: string
  readonly createdAt: number
  readonly updatedAt: number
}
