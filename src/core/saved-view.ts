/**
 * A saved view: a name for the filters, the order and the groups of a board. All people who use the store share the
 * views.
 */
export interface SavedView {
  readonly name: string
  /** The board of the view. Null means all boards. */
  readonly board: string | null
  /** The filters, in the form of the dashboard's address, such as `status=blocked&label=urgent`. */
  readonly query: string
  readonly createdBy: string
  readonly createdAt: number
  readonly updatedAt: number
}
