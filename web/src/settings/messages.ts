import { defineMessages } from '../i18n/messages.ts'
import type { Message } from '../i18n/messages.ts'
import type { Part } from './parts.ts'

export const settingsMessages = defineMessages({
  en: {
    title: 'Settings',
    parts: 'Parts of the settings',
    loading: 'Loading the settings',
    theme: 'Theme',
    system: 'System',
    light: 'Light',
    dark: 'Dark',
    language: 'Language',
    cancel: 'Cancel',
    needsScope: 'This browser may not do this: its session has the scope {has}, but the action needs {needs}.',
    shortcutsText:
      'Shortcuts with letters do not work while you type in a field. Press {key} on any screen to see its shortcuts.',
    moreShortcuts: 'The shortcuts of another screen are added here when you open that screen.',
  },
  ko: {
    title: '설정',
    parts: '설정 항목',
    loading: '설정을 불러오는 중',
    theme: '테마',
    system: '시스템',
    light: '밝게',
    dark: '어둡게',
    language: '언어',
    cancel: '취소',
    needsScope: '이 브라우저에서는 할 수 없습니다. 세션 권한은 {has}이며 {needs} 권한이 필요합니다.',
    shortcutsText:
      '입력란에 입력하는 동안에는 글자 단축키가 동작하지 않습니다. 각 화면의 단축키는 {key} 키로 볼 수 있습니다.',
    moreShortcuts: '다른 화면의 단축키는 그 화면을 연 뒤에 여기에 추가됩니다.',
  },
  zh: {
    title: '设置',
    parts: '设置项',
    loading: '正在加载设置',
    theme: '主题',
    system: '跟随系统',
    light: '浅色',
    dark: '深色',
    language: '语言',
    cancel: '取消',
    needsScope: '此浏览器无法执行：其会话权限为 {has}，需要 {needs}。',
    shortcutsText: '在输入框中输入时，字母快捷键不起作用。在任何页面按 {key} 可查看其快捷键。',
    moreShortcuts: '打开其他页面后，其快捷键会添加到这里。',
  },
})

export const partMessages = defineMessages({
  en: {
    boards: 'Boards',
    tokens: 'Tokens',
    appearance: 'Appearance',
    notifications: 'Notifications',
    shortcuts: 'Shortcuts',
    machine: 'This machine',
  } satisfies Readonly<Record<Part, Message>>,
  ko: {
    boards: '보드',
    tokens: '토큰',
    appearance: '모양',
    notifications: '알림',
    shortcuts: '단축키',
    machine: '이 컴퓨터',
  },
  zh: {
    boards: '看板',
    tokens: '令牌',
    appearance: '外观',
    notifications: '通知',
    shortcuts: '快捷键',
    machine: '这台电脑',
  },
})
