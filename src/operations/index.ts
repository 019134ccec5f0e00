/** The table of operations. The command line loads each alone; other surfaces project the whole of it. */
import { addAgent } from './add-agent.ts'
import { approveAgents } from './approve-agents.ts'
import { approveCommands } from './approve-commands.ts'
import { approveTask } from './approve-task.ts'
import { archiveBoard } from './archive-board.ts'
import { archiveTask } from './archive-task.ts'
import { assignTask } from './assign-task.ts'
import { attachFile } from './attach-file.ts'
import { blockTask } from './block-task.ts'
import { briefTask } from './brief-task.ts'
import { checkAgents } from './check-agents.ts'
import { checkTask } from './check-task.ts'
import { claimTask } from './claim-task.ts'
import { collectGarbage } from './collect-garbage.ts'
import { commentOnTask } from './comment-on-task.ts'
import { completeTask } from './complete-task.ts'
import { createBackup } from './create-backup.ts'
import { createBoard } from './create-board.ts'
import { createTask } from './create-task.ts'
import { deleteBoard } from './delete-board.ts'
import { deleteTask } from './delete-task.ts'
import { checkoutTask } from './checkout-task.ts'
import { diffTask } from './diff-task.ts'
import { landTask } from './land-task.ts'
import { detachFile } from './detach-file.ts'
import { dispatchOnce } from './dispatch-once.ts'
import { editTask } from './edit-task.ts'
import { explainTask } from './explain-task.ts'
import { exportAgent } from './export-agent.ts'
import { exportStore } from './export-store.ts'
import { followLog } from './follow-log.ts'
import { gatherStats } from './gather-stats.ts'
import { holdTask } from './hold-task.ts'
import { importAgent } from './import-agent.ts'
import { initHome } from './init-home.ts'
import { installTools } from './install-tools.ts'
import { installAgents } from './install-agents.ts'
import { linkTasks } from './link-tasks.ts'
import { listAccounts } from './list-accounts.ts'
import { listAgents } from './list-agents.ts'
import { listAttachments } from './list-attachments.ts'
import { listBackups } from './list-backups.ts'
import { listBoards } from './list-boards.ts'
import { listPauses } from './list-pauses.ts'
import { listProcesses } from './list-processes.ts'
import { listRuns } from './list-runs.ts'
import { listSkills } from './list-skills.ts'
import { listSnapshotsOf } from './list-snapshots.ts'
import { listTasks } from './list-tasks.ts'
import { pauseWork } from './pause-work.ts'
import { previewCommands } from './preview-commands.ts'
import { previewPromote } from './preview-promote.ts'
import { promoteTask } from './promote-task.ts'
import { readLog } from './read-log.ts'
import { readTranscript } from './read-transcript.ts'
import { reassignTask } from './reassign-task.ts'
import { reclaimTask } from './reclaim-task.ts'
import { recordHeartbeat } from './record-heartbeat.ts'
import { releaseTask } from './release-task.ts'
import { removeAgent } from './remove-agent.ts'
import { renameBoard } from './rename-board.ts'
import { reopenTask } from './reopen-task.ts'
import { requestChanges } from './request-changes.ts'
import { requestReview } from './request-review.ts'
import { restoreBackup } from './restore-backup.ts'
import { restoreSnapshotOf } from './restore-snapshot.ts'
import { resumeWork } from './resume-work.ts'
import { runDoctor } from './run-doctor.ts'
import { scheduleTask } from './schedule-task.ts'
import { setBoard } from './set-board.ts'
import { showAgent } from './show-agent.ts'
import { showBoard } from './show-board.ts'
import { showSkill } from './show-skill.ts'
import { showTask } from './show-task.ts'
import { stopTask } from './stop-task.ts'
import { switchBoard } from './switch-board.ts'
import { tailTask } from './tail-task.ts'
import { unarchiveBoard } from './unarchive-board.ts'
import { unarchiveTask } from './unarchive-task.ts'
import { unblockTask } from './unblock-task.ts'
import { undeleteTask } from './undelete-task.ts'
import { unlinkTasks } from './unlink-tasks.ts'
import { verifyBackup } from './verify-backup.ts'
import { watchBoard } from './watch-board.ts'

export const OPERATIONS = {
  'accounts list': listAccounts,
  'agents add': addAgent,
  'agents approve': approveAgents,
  'agents check': checkAgents,
  'agents export': exportAgent,
  'agents import': importAgent,
  'agents install': installAgents,
  'agents list': listAgents,
  'agents remove': removeAgent,
  'agents show': showAgent,
  approve: approveTask,
  'approve-commands': approveCommands,
  archive: archiveTask,
  assign: assignTask,
  attach: attachFile,
  attachments: listAttachments,
  'backup create': createBackup,
  'backup export': exportStore,
  'backup list': listBackups,
  'backup restore': restoreBackup,
  'backup verify': verifyBackup,
  block: blockTask,
  'boards archive': archiveBoard,
  'boards create': createBoard,
  'boards delete': deleteBoard,
  'boards list': listBoards,
  'boards rename': renameBoard,
  'boards set': setBoard,
  'boards show': showBoard,
  'boards switch': switchBoard,
  'boards unarchive': unarchiveBoard,
  check: checkTask,
  checkout: checkoutTask,
  claim: claimTask,
  comment: commentOnTask,
  complete: completeTask,
  context: briefTask,
  create: createTask,
  delete: deleteTask,
  detach: detachFile,
  diff: diffTask,
  dispatch: dispatchOnce,
  doctor: runDoctor,
  edit: editTask,
  'follow-log': followLog,
  gc: collectGarbage,
  heartbeat: recordHeartbeat,
  hold: holdTask,
  init: initHome,
  land: landTask,
  link: linkTasks,
  list: listTasks,
  'list-pauses': listPauses,
  log: readLog,
  'mcp install': installTools,
  pause: pauseWork,
  'preview-commands': previewCommands,
  'preview-promote': previewPromote,
  promote: promoteTask,
  ps: listProcesses,
  reassign: reassignTask,
  reclaim: reclaimTask,
  release: releaseTask,
  reopen: reopenTask,
  'request-changes': requestChanges,
  'request-review': requestReview,
  restore: restoreSnapshotOf,
  resume: resumeWork,
  runs: listRuns,
  schedule: scheduleTask,
  show: showTask,
  'skills list': listSkills,
  'skills show': showSkill,
  snapshots: listSnapshotsOf,
  stats: gatherStats,
  stop: stopTask,
  tail: tailTask,
  transcript: readTranscript,
  unarchive: unarchiveTask,
  unblock: unblockTask,
  undelete: undeleteTask,
  unlink: unlinkTasks,
  watch: watchBoard,
  why: explainTask,
} as const
