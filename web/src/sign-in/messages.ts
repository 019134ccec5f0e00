import { defineMessages } from '../i18n/messages.ts'

export const signInMessages = defineMessages({
  en: {
    signingIn: 'Signing in…',
    used: 'This link no longer works',
    usedMore: 'Each link signs in one browser, once, and expires after 15 minutes. For a new link, run:',
    tooMany: 'Too many failed sign-ins',
    tooManyMore: 'Wait a minute. Then run this command in a terminal:',
    offline: 'Muster does not answer',
    offlineMore: 'Muster may have been stopped. Start Muster in a terminal, then open the printed link:',
    signedOut: 'Sign in to Muster',
    signedOutMore:
      'Run this command in a terminal on the machine where Muster runs. It opens a link that signs in this browser:',
    retry: 'Try again',
  },
  ko: {
    signingIn: '로그인하는 중…',
    used: '이 링크는 더 이상 사용할 수 없습니다',
    usedMore:
      '링크 하나로 브라우저 하나만 한 번 로그인할 수 있고, 15분이 지나면 만료됩니다. 새 링크를 만들려면 실행하세요:',
    tooMany: '로그인에 너무 많이 실패했습니다',
    tooManyMore: '1분 동안 기다린 다음 터미널에서 실행하세요:',
    offline: 'Muster가 응답하지 않습니다',
    offlineMore: '종료되었을 수 있습니다. 터미널에서 시작한 다음 표시되는 링크를 여세요:',
    signedOut: 'Muster에 로그인',
    signedOutMore: 'Muster가 실행되는 컴퓨터의 터미널에서 실행하세요. 이 브라우저를 로그인하는 링크가 열립니다:',
    retry: '다시 시도',
  },
  zh: {
    signingIn: '正在登录…',
    used: '此链接已失效',
    usedMore: '每个链接只能让一个浏览器登录一次，15 分钟后过期。要获取新链接，请运行：',
    tooMany: '登录失败次数过多',
    tooManyMore: '请等待一分钟，然后在终端运行：',
    offline: 'Muster 没有响应',
    offlineMore: '它可能已停止。请在终端启动它，然后打开它显示的链接：',
    signedOut: '登录 Muster',
    signedOutMore: '请在运行 Muster 的电脑的终端中运行以下命令。它会打开一个链接，让此浏览器登录：',
    retry: '重试',
  },
})
