import { defineMessages } from '../../i18n/messages.ts'

export const canvasMessages = defineMessages({
  en: {
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fit: 'Show all cards',
  },
  ko: {
    zoomIn: '확대',
    zoomOut: '축소',
    fit: '모든 카드 보기',
  },
  zh: {
    zoomIn: '放大',
    zoomOut: '缩小',
    fit: '显示所有卡片',
  },
})
