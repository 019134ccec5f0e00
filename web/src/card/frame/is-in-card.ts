/** Whether the open card handles key presses. While a card on the board has the focus, the board handles them. */
export const isInCard = (): boolean => document.activeElement?.closest('main') == null
