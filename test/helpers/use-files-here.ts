// Runs in every test file: what a program lets its file helper do, tests of single functions do in their own process.
import { useFileHelper } from '../../src/files/call-file-helper.ts'
import { runTaskHere } from '../../src/files/run-task.ts'

useFileHelper(runTaskHere)
