const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** What a store or a backup of one holds. */
export const contents = ({ cards, boards }: { readonly cards: number; readonly boards: number }): string =>
  `${counted(cards, 'card')} on ${counted(boards, 'board')}`
