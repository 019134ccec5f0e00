import { defineMessages } from '../i18n/messages.ts'

export const findMessages = defineMessages({
  en: {
    placeholder: 'Search cards',
    results: 'Cards',
    none: 'No card contains this text',
    searching: 'Searching…',
  },
  ko: {
    placeholder: '카드 검색',
    results: '카드',
    none: '이 텍스트가 있는 카드가 없습니다',
    searching: '검색 중…',
  },
  zh: {
    placeholder: '搜索卡片',
    results: '卡片',
    none: '没有包含此文字的卡片',
    searching: '正在搜索…',
  },
})
