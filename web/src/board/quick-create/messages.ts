import { defineMessages } from '../../i18n/messages.ts'

export const quickMessages = defineMessages({
  en: {
    add: 'Add a card',
    title: 'Title of the new card',
    placeholder: 'Title, @agent',
    hint: 'Enter creates · Shift+Enter for more fields · Esc closes',
    hintHeld: 'Enter creates a card that waits until you move it · Shift+Enter for more fields',
    forAgent: 'For {name} · Enter creates',
    unknownAgent: 'There is no agent {name}, so the name stays in the title',
    noTitle: 'Type a title first.',
  },
  ko: {
    add: '카드 추가',
    title: '새 카드의 제목',
    placeholder: '제목, @에이전트',
    hint: 'Enter로 만들기 · Shift+Enter로 자세히 · Esc로 닫기',
    hintHeld: 'Enter로 옮길 때까지 기다리는 카드 만들기 · Shift+Enter로 자세히',
    forAgent: '담당: {name} · Enter로 만들기',
    unknownAgent: '{name} 에이전트가 없어 제목에 그대로 둡니다',
    noTitle: '먼저 제목을 입력하세요.',
  },
  zh: {
    add: '添加卡片',
    title: '新卡片的标题',
    placeholder: '标题，@代理',
    hint: 'Enter 创建 · Shift+Enter 填写更多 · Esc 关闭',
    hintHeld: 'Enter 创建卡片，移动前一直等待 · Shift+Enter 填写更多',
    forAgent: '交给 {name} · Enter 创建',
    unknownAgent: '没有名为 {name} 的代理，保留在标题中',
    noTitle: '请先输入标题。',
  },
})
