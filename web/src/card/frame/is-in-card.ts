/** Whether key presses belong to the open card. While a card on the board has the focus, they belong to the board. */
export const isInCard = (): boolean => document.activeElement?.closest('main') == null
