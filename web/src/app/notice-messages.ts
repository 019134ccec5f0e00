import type { InboxKind } from '../../../src/core/inbox.ts'
import { defineMessages } from '../i18n/messages.ts'
import type { Message } from '../i18n/messages.ts'

/** The titles of notifications. */
export const noticeMessages = defineMessages({
  en: {
    account: 'An account needs you',
    question: 'An agent asks',
    approval: 'Commands need your approval',
    review: 'A review needs you',
    pick: 'A tournament waits for your pick',
    stopped: 'A card stopped after failures',
    blocked: 'A card is blocked',
    agent: 'An agent cannot run',
    triage: 'A card needs a decision',
    unlanded: 'Finished work has not landed',
    other: 'Something needs you',
    more: { one: 'and {n} more', other: 'and {n} more' },
  } satisfies Readonly<Record<InboxKind | 'other' | 'more', Message>>,
  ko: {
    account: '계정을 확인하세요',
    question: '에이전트가 질문했습니다',
    approval: '승인할 명령이 있습니다',
    review: '검토할 것이 있습니다',
    pick: '승자를 골라야 할 토너먼트가 있습니다',
    stopped: '카드가 포기했습니다',
    blocked: '카드가 막혔습니다',
    agent: '에이전트를 실행할 수 없습니다',
    triage: '결정이 필요한 카드가 있습니다',
    unlanded: '반영되지 않은 완료 작업이 있습니다',
    other: '확인할 것이 있습니다',
    more: { other: '외 {n}개' },
  },
  zh: {
    account: '账户需要您处理',
    question: '代理提出了问题',
    approval: '有命令待批准',
    review: '有工作待审核',
    pick: '有比赛等待您选出胜者',
    stopped: '有卡片已放弃',
    blocked: '有卡片受阻',
    agent: '代理无法运行',
    triage: '有卡片待决定',
    unlanded: '已完成的工作尚未合入',
    other: '有事项需要您处理',
    more: { other: '另有 {n} 项' },
  },
})
