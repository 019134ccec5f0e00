import { defineMessages } from '../../i18n/messages.ts'

export const plannerMessages = defineMessages({
  en: {
    specify: 'Write it out',
    decompose: 'Split into cards',
    openPlan: 'Open the plan',
    planReady: 'The plan for “{card}” is ready',
    planFailed: 'The planner made no plan for “{card}”',
    show: 'Show',
  },
  ko: {
    specify: '자세히 작성',
    decompose: '카드로 나누기',
    openPlan: '계획 열기',
    planReady: '“{card}” 계획이 준비되었습니다',
    planFailed: '“{card}” 계획을 만들지 못했습니다',
    show: '보기',
  },
  zh: {
    specify: '写成完整卡片',
    decompose: '拆分为卡片',
    openPlan: '打开计划',
    planReady: '“{card}”的计划已就绪',
    planFailed: '未能为“{card}”制定计划',
    show: '查看',
  },
})
