/** The composition root of the thread in which `muster up` keeps its store. */
import { clockShiftMs } from '../config/system.ts'
import { hostStore } from '../storage/sqlite/thread-host.ts'

void hostStore({ shift: clockShiftMs })
