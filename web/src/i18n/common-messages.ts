/** The messages that several screens share. */
import { defineMessages } from './messages.ts'

export const commonMessages = defineMessages({
  en: { newCard: 'New card', find: 'Search or jump to…' },
  ko: { newCard: '새 카드', find: '검색 또는 이동…' },
  zh: { newCard: '新建卡片', find: '搜索或跳转…' },
})
