/** The texts of the sample board. `summary` is the result, the question or the obstacle of the card. */
import type { Language } from '../../i18n/language.ts'

export const SAMPLE_KEYS = [
  'tax',
  'events',
  'checkout',
  'webhooks',
  'refunds',
  'sessions',
  'login',
  'coupons',
  'notes',
  'endpoint',
  'audit',
  'mails',
  'search',
] as const
export type SampleText = (typeof SAMPLE_KEYS)[number]

interface Texts {
  readonly title: string
  readonly body: string
  readonly summary: string
}

const text = (title: string, body: string, summary = ''): Texts => ({ title, body, summary })

export const SAMPLE_TEXTS: Readonly<Record<Language, Readonly<Record<SampleText, Texts>>>> = {
  en: {
    tax: text('Cache the tax table', 'Read the tax table once per request.', 'The table is read once per request.'),
    events: text('Rename the basket events', 'Call them cart events everywhere.', 'Renamed 14 events and their tests.'),
    checkout: text('Split the checkout service', 'Separate quotes from orders. Keep the interface.'),
    webhooks: text(
      'Retry webhooks with back-off',
      'Retry five times, and wait longer each time.',
      'Retries wait 1, 2, 4, 8 and 16 s. Please look at the limit.',
    ),
    refunds: text(
      'Refund flow',
      'Write refunds to the ledger.',
      'Which currency do refunds use when an order mixes two?',
    ),
    sessions: text(
      'Migrate the sessions table',
      'Move sessions to the new schema.',
      'The copy of the database is not readable from here.',
    ),
    login: text('Rate-limit the login', 'Limit attempts per account and per address.'),
    coupons: text('Check coupons on the server', 'Refuse a coupon that has ended.'),
    notes: text('Publish the release notes', 'List what changed for customers.'),
    endpoint: text('Remove the old price endpoint', 'No client has used it since March.'),
    audit: text('Nightly dependency audit', 'List packages with known faults.'),
    mails: text('Translate the e-mail templates', 'Korean and Chinese first.'),
    search: text('Idea: faster search in large catalogues', 'Customers with many products wait for seconds.'),
  },
  ko: {
    tax: text('세율표 캐시하기', '요청마다 세율표를 한 번만 읽습니다.', '이제 요청마다 한 번만 읽습니다.'),
    events: text(
      '장바구니 이벤트 이름 바꾸기',
      '모든 곳에서 cart 이벤트로 부릅니다.',
      '이벤트 14개와 테스트를 바꿨습니다.',
    ),
    checkout: text('결제 서비스 나누기', '견적과 주문을 나눕니다. 인터페이스는 유지합니다.'),
    webhooks: text(
      '웹훅 재시도 간격 늘리기',
      '다섯 번 재시도하고, 매번 더 오래 기다립니다.',
      '1, 2, 4, 8, 16초를 기다립니다. 한도를 확인해 주세요.',
    ),
    refunds: text('환불 처리', '환불을 원장에 기록합니다.', '주문에 두 통화가 섞여 있으면 어느 통화로 환불하나요?'),
    sessions: text(
      '세션 테이블 이전',
      '세션을 새 스키마로 옮깁니다.',
      '여기서는 데이터베이스 사본을 읽을 수 없습니다.',
    ),
    login: text('로그인 횟수 제한', '계정과 주소마다 시도 횟수를 제한합니다.'),
    coupons: text('서버에서 쿠폰 확인', '기간이 끝난 쿠폰을 거절합니다.'),
    notes: text('릴리스 노트 발행', '고객에게 달라진 점을 적습니다.'),
    endpoint: text('이전 가격 엔드포인트 제거', '3월부터 쓰는 클라이언트가 없습니다.'),
    audit: text('야간 의존성 점검', '알려진 결함이 있는 패키지를 나열합니다.'),
    mails: text('이메일 템플릿 번역', '한국어와 중국어부터 시작합니다.'),
    search: text('아이디어: 큰 카탈로그의 빠른 검색', '상품이 많은 고객은 몇 초를 기다립니다.'),
  },
  zh: {
    tax: text('缓存税率表', '每个请求只读取一次税率表。', '现在每个请求只读取一次。'),
    events: text('重命名购物篮事件', '统一称为购物车事件。', '已重命名 14 个事件及其测试。'),
    checkout: text('拆分结账服务', '将报价与下单分开，保持接口不变。'),
    webhooks: text(
      'Webhook 重试时逐步延长等待',
      '重试五次，每次等待更久。',
      '依次等待 1、2、4、8、16 秒。请看看上限是否合适。',
    ),
    refunds: text('退款流程', '将退款写入账本。', '订单混用两种货币时，退款用哪一种？'),
    sessions: text('迁移会话表', '将会话移到新的结构。', '这里无法读取数据库副本。'),
    login: text('限制登录频率', '按账户和地址限制尝试次数。'),
    coupons: text('在服务器上检查优惠券', '拒绝已过期的优惠券。'),
    notes: text('发布版本说明', '列出对客户的变化。'),
    endpoint: text('移除旧的价格接口', '自三月以来没有客户端使用。'),
    audit: text('每晚检查依赖', '列出有已知缺陷的软件包。'),
    mails: text('翻译邮件模板', '先做韩文和中文。'),
    search: text('想法：加快大型目录的搜索', '商品多的客户要等好几秒。'),
  },
}
