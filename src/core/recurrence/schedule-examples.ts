/** The examples in messages about schedules that are not valid. */
export const SCHEDULE_EXAMPLES = '"0 9 * * 1-5", every 2h, weekdays 09:00, daily 7:30 or mon,thu 18:00'
