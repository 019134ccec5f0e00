import { defineMessages } from '../../i18n/messages.ts'

export const keyMessages = defineMessages({
  en: {
    group: 'Cards on the board',
    down: 'Next card',
    up: 'Previous card',
    select: 'Select the card',
    move: 'Move',
    remove: 'Delete',
    answer: 'Answer or approve',
    clear: 'Clear the selection',
  },
  ko: {
    group: '보드의 카드',
    down: '다음 카드',
    up: '이전 카드',
    select: '카드 선택',
    move: '옮기기',
    remove: '삭제',
    answer: '답변 또는 승인',
    clear: '선택 해제',
  },
  zh: {
    group: '看板上的卡片',
    down: '下一张卡片',
    up: '上一张卡片',
    select: '选择卡片',
    move: '移动',
    remove: '删除',
    answer: '答复或批准',
    clear: '清除选择',
  },
})
