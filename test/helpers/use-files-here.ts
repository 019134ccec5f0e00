// Every test file loads this module. With it, file tasks run in the test process, so tests of single functions need no
// file helper.
import { useFileHelper } from '../../src/file-helper/call-file-helper.ts'
import { runTaskHere } from '../../src/file-helper/run-task.ts'

useFileHelper(runTaskHere)
