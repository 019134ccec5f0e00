// Runs in every test file: tests of single functions run file tasks in their own process, without a file helper.
import { useFileHelper } from '../../src/files/call-file-helper.ts'
import { runTaskHere } from '../../src/files/run-task.ts'

useFileHelper(runTaskHere)
