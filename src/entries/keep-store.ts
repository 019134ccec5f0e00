/** The entry of the thread in which `muster up` keeps its store open. */
import { clockShiftMs } from '../config/system.ts'
import { hostStore } from '../storage/sqlite/thread-host.ts'

void hostStore({ shift: clockShiftMs })
