// Runs in every test file: tests of single functions run file tasks in the test process, without a file helper.
import { useFileHelper } from '../../src/file-helper/call-file-helper.ts'
import { runTaskHere } from '../../src/file-helper/run-task.ts'

useFileHelper(runTaskHere)
