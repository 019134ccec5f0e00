import { defineMessages } from '../i18n/messages.ts'

export const pageMessages = defineMessages({
  en: {
    lost: 'Connection lost at {time}',
    lostMore: 'This page may be out of date. It reconnects automatically.',
  },
  ko: {
    lost: '{time}에 연결이 끊겼습니다',
    lostMore: '지금 보이는 내용은 오래된 것일 수 있습니다. Muster가 자동으로 다시 연결합니다.',
  },
  zh: {
    lost: '连接已于 {time} 断开',
    lostMore: '所见内容可能已过时。Muster 会自动重新连接。',
  },
})
