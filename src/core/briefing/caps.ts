/** The limits on each part of a briefing, in characters or items. */
export const BRIEFING_TITLE_MAX = 200
export const BRIEFING_BODY_MAX = 8192
/** The limit for one hand-off, error, result or metadata value. */
export const BRIEFING_FIELD_MAX = 4096
export const BRIEFING_COMMENT_MAX = 2048
export const BRIEFING_ATTACHMENTS = 50
export const BRIEFING_ATTEMPTS = 10
export const BRIEFING_PARENTS = 20
export const BRIEFING_RECENT_WORK = 5
export const BRIEFING_COMMENTS = 30
/**
 * The number of comments that the briefing reads from the store. The number is larger than the number of comments
 * shown, because an older comment may be an answer.
 */
export const BRIEFING_COMMENTS_READ = 200
/** The limit for the newest answer, in characters. Earlier answers have the limit of comments. */
export const BRIEFING_ANSWER_MAX = 8192
/** The number of questions that the briefing shows with their answers. */
export const BRIEFING_ROUNDS = 5
/** The limit for the text of one skill: twice the length that the Agent Skills format recommends. */
export const SKILL_MAX = 32_768
/** The limit for names and single lines that people or agents wrote. */
export const LINE_MAX = 200
export const PATH_MAX = 1024
