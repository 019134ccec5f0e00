import { defineMessages } from '../i18n/messages.ts'

/** Describes in a few words whether an agent can take a card now. */
export const agentMessages = defineMessages({
  en: {
    free: 'free',
    running: '{n} running',
    runningOf: '{n} of {limit} running',
    paused: 'paused',
    pausedUntil: 'paused until {time}',
    quota: 'out of quota',
    quotaUntil: 'out of quota until {time}',
    loggedOut: 'logged out',
    cannotRun: 'cannot run here',
    notInstalled: 'not installed',
  },
  ko: {
    free: '대기 중',
    running: '{n}개 실행 중',
    runningOf: '{limit}개 중 {n}개 실행 중',
    paused: '일시 중지됨',
    pausedUntil: '{time}까지 일시 중지',
    quota: '할당량 소진',
    quotaUntil: '{time}까지 할당량 소진',
    loggedOut: '로그아웃됨',
    cannotRun: '여기에서 실행할 수 없음',
    notInstalled: '설치되지 않음',
  },
  zh: {
    free: '空闲',
    running: '{n} 个运行中',
    runningOf: '{n}/{limit} 运行中',
    paused: '已暂停',
    pausedUntil: '暂停至 {time}',
    quota: '配额已用完',
    quotaUntil: '配额已用完，{time} 恢复',
    loggedOut: '已退出登录',
    cannotRun: '无法在此运行',
    notInstalled: '未安装',
  },
})
