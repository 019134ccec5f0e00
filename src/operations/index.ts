/** The table of operations. The command line loads each alone; other surfaces project the whole of it. */
import { completeTask } from './complete-task.ts'
import { createTask } from './create-task.ts'
import { dispatchOnce } from './dispatch-once.ts'
import { initHome } from './init-home.ts'
import { listTasks } from './list-tasks.ts'
import { runDoctor } from './run-doctor.ts'
import { showTask } from './show-task.ts'

export const OPERATIONS = {
  complete: completeTask,
  create: createTask,
  dispatch: dispatchOnce,
  doctor: runDoctor,
  init: initHome,
  list: listTasks,
  show: showTask,
} as const
