import { defineMessages } from '../i18n/messages.ts'

export const viewMessages = defineMessages({
  en: {
    save: 'Save view',
    name: 'Name of the view',
    shared: 'Everyone on this store sees the view in the sidebar.',
    replaces: 'A view with this name exists and will be replaced.',
    replace: 'Replace view',
    noName: 'Type a name first.',
    saved: 'Saved the view {name}',
  },
  ko: {
    save: '보기 저장',
    name: '보기 이름',
    shared: '이 Muster를 쓰는 모든 사람의 사이드바에 표시됩니다.',
    replaces: '같은 이름의 보기가 있습니다. 새 보기로 바뀝니다.',
    replace: '보기 바꾸기',
    noName: '먼저 이름을 입력하세요.',
    saved: '보기 저장: {name}',
  },
  zh: {
    save: '保存视图',
    name: '视图名称',
    shared: '使用此 Muster 的所有人都会在侧边栏看到它。',
    replaces: '已有同名视图，将被替换。',
    replace: '替换视图',
    noName: '请先输入名称。',
    saved: '已保存视图：{name}',
  },
})
