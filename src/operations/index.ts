/** Made by `npm run manifest` from the operation files. A command loads its operation alone; other callers use this table. */
import { addAgent } from './agents/add-agent.ts'
import { approveAgents } from './agents/approve-agents.ts'
import { checkAgents } from './agents/check-agents.ts'
import { exportAgent } from './agents/export-agent.ts'
import { importAgent } from './agents/import-agent.ts'
import { installAgents } from './agents/install-agents.ts'
import { listAccounts } from './agents/list-accounts.ts'
import { listAgents } from './agents/list-agents.ts'
import { listPauses } from './agents/list-pauses.ts'
import { pauseWork } from './agents/pause-work.ts'
import { removeAgent } from './agents/remove-agent.ts'
import { resumeWork } from './agents/resume-work.ts'
import { showAgent } from './agents/show-agent.ts'
import { attachFile } from './attachments/attach-file.ts'
import { detachFile } from './attachments/detach-file.ts'
import { listAttachments } from './attachments/list-attachments.ts'
import { createBackup } from './backups/create-backup.ts'
import { exportStore } from './backups/export-store.ts'
import { listBackups } from './backups/list-backups.ts'
import { restoreBackup } from './backups/restore-backup.ts'
import { verifyBackup } from './backups/verify-backup.ts'
import { archiveBoard } from './boards/archive-board.ts'
import { createBoard } from './boards/create-board.ts'
import { deleteBoard } from './boards/delete-board.ts'
import { gatherStats } from './boards/gather-stats.ts'
import { listBoards } from './boards/list-boards.ts'
import { renameBoard } from './boards/rename-board.ts'
import { setBoard } from './boards/set-board.ts'
import { showBoard } from './boards/show-board.ts'
import { switchBoard } from './boards/switch-board.ts'
import { unarchiveBoard } from './boards/unarchive-board.ts'
import { watchBoard } from './boards/watch-board.ts'
import { archiveTask } from './cards/archive-task.ts'
import { assignTask } from './cards/assign-task.ts'
import { blockTask } from './cards/block-task.ts'
import { briefTask } from './cards/brief-task.ts'
import { commentOnTask } from './cards/comment-on-task.ts'
import { completeTask } from './cards/complete-task.ts'
import { createTask } from './cards/create-task.ts'
import { deleteTask } from './cards/delete-task.ts'
import { editTask } from './cards/edit-task.ts'
import { explainTask } from './cards/explain-task.ts'
import { holdTask } from './cards/hold-task.ts'
import { linkTasks } from './cards/link-tasks.ts'
import { listTasks } from './cards/list-tasks.ts'
import { previewPromote } from './cards/preview-promote.ts'
import { promoteTask } from './cards/promote-task.ts'
import { reassignTask } from './cards/reassign-task.ts'
import { releaseTask } from './cards/release-task.ts'
import { reopenTask } from './cards/reopen-task.ts'
import { scheduleTask } from './cards/schedule-task.ts'
import { showTask } from './cards/show-task.ts'
import { tailTask } from './cards/tail-task.ts'
import { unarchiveTask } from './cards/unarchive-task.ts'
import { unblockTask } from './cards/unblock-task.ts'
import { undeleteTask } from './cards/undelete-task.ts'
import { unlinkTasks } from './cards/unlink-tasks.ts'
import { collectGarbage } from './machine/collect-garbage.ts'
import { dispatchOnce } from './machine/dispatch-once.ts'
import { initHome } from './machine/init-home.ts'
import { installTools } from './machine/install-tools.ts'
import { runDoctor } from './machine/run-doctor.ts'
import { approveCommands } from './reviews/approve-commands.ts'
import { approveTask } from './reviews/approve-task.ts'
import { checkTask } from './reviews/check-task.ts'
import { previewCommands } from './reviews/preview-commands.ts'
import { requestChanges } from './reviews/request-changes.ts'
import { requestReview } from './reviews/request-review.ts'
import { claimTask } from './runs/claim-task.ts'
import { followLog } from './runs/follow-log.ts'
import { listProcesses } from './runs/list-processes.ts'
import { listRuns } from './runs/list-runs.ts'
import { readLog } from './runs/read-log.ts'
import { readTranscript } from './runs/read-transcript.ts'
import { reclaimTask } from './runs/reclaim-task.ts'
import { recordHeartbeat } from './runs/record-heartbeat.ts'
import { stopTask } from './runs/stop-task.ts'
import { listSkills } from './skills/list-skills.ts'
import { showSkill } from './skills/show-skill.ts'
import { checkoutTask } from './workspaces/checkout-task.ts'
import { diffTask } from './workspaces/diff-task.ts'
import { landTask } from './workspaces/land-task.ts'
import { listSnapshotsOf } from './workspaces/list-snapshots.ts'
import { restoreSnapshotOf } from './workspaces/restore-snapshot.ts'

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
