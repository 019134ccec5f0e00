/** The messages of errors, in the language of the interface. */
import { defineMessages } from './messages.ts'

export const errorMessages = defineMessages({
  en: {
    server_unreachable: 'Muster does not answer. This page retries automatically.',
    server_unsuitable: 'The server at this address is not Muster. Check the URL of this page.',
    capped: 'The server is busy. Try again in a moment.',
    sign_in_required: 'You are signed out. Run muster open in a terminal to sign in.',
    task_not_found: 'This card does not exist, or it was deleted.',
    board_not_found: 'This board does not exist.',
  },
  ko: {
    server_unreachable: 'Muster가 응답하지 않습니다. 자동으로 다시 시도합니다.',
    server_unsuitable: 'Muster가 아닌 프로그램이 응답했습니다. 이 페이지의 주소를 확인하세요.',
    capped: '서버가 바쁩니다. 잠시 후 다시 시도하세요.',
    sign_in_required: '로그아웃되었습니다. 로그인하려면 터미널에서 muster open을 실행하세요.',
    task_not_found: '카드가 없거나 삭제되었습니다.',
    board_not_found: '보드가 없습니다.',
  },
  zh: {
    server_unreachable: 'Muster 没有响应，将自动重试。',
    server_unsuitable: '应答不是来自 Muster。请检查本页的地址。',
    capped: '服务器繁忙，请稍后再试。',
    sign_in_required: '您已退出登录。请在终端运行 muster open 重新登录。',
    task_not_found: '此卡片不存在或已删除。',
    board_not_found: '此看板不存在。',
  },
})
