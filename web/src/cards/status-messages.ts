import type { Status } from '../../../src/core/vocabulary.ts'
import { defineMessages } from '../i18n/messages.ts'
import type { Message } from '../i18n/messages.ts'

export const statusMessages = defineMessages({
  en: {
    triage: 'Triage',
    todo: 'To do',
    scheduled: 'Scheduled',
    ready: 'Ready',
    running: 'Running',
    review: 'Review',
    blocked: 'Blocked',
    done: 'Done',
    archived: 'Archived',
    waiting: 'Waiting',
  } satisfies Readonly<Record<Status | 'waiting', Message>>,
  ko: {
    triage: '분류',
    todo: '할 일',
    scheduled: '예약됨',
    ready: '준비됨',
    running: '실행 중',
    review: '검토',
    blocked: '막힘',
    done: '완료',
    archived: '보관됨',
    waiting: '대기',
  },
  zh: {
    triage: '分诊',
    todo: '待办',
    scheduled: '已排期',
    ready: '就绪',
    running: '运行中',
    review: '待审',
    blocked: '受阻',
    done: '完成',
    archived: '已归档',
    waiting: '等待中',
  },
})
