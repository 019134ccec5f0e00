import { defineMessages } from '../../i18n/messages.ts'

export const swimlaneMessages = defineMessages({
  en: {
    groups: 'Groups',
    without_assignee: 'Unassigned',
    without_tenant: 'No tenant',
    without_workflow: 'No workflow',
    without_labels: 'No label',
  },
  ko: {
    groups: '묶음',
    without_assignee: '담당 없음',
    without_tenant: '테넌트 없음',
    without_workflow: '워크플로 없음',
    without_labels: '라벨 없음',
  },
  zh: {
    groups: '分组',
    without_assignee: '未指派',
    without_tenant: '无租户',
    without_workflow: '无工作流',
    without_labels: '无标签',
  },
})
