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
 * The number of comments that are read. It is larger than the number shown, because an older comment may be an answer.
 */
export const BRIEFING_COMMENTS_READ = 200
/** The limit for the newest answer. Earlier answers are cut like comments. */
export const BRIEFING_ANSWER_MAX = 8192
/** The number of questions that are shown with their answers. */
export const BRIEFING_ROUNDS = 5
/** The limit for the text of one skill: twice the length that the Agent Skills format recommends. */
export const SKILL_MAX = 32_768
/** The limit for names and single lines that people or agents wrote. */
export const LINE_MAX = 200
export const PATH_MAX = 1024
