/** The composition root of the thread in which `muster up` keeps its store. */
import { clockShift } from '../config/test-world.ts'
import { hostStore } from '../storage/sqlite/thread-host.ts'

void hostStore({ shift: clockShift })
