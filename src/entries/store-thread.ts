/** Starts the store thread. Its code is in the same chunks as the code of the command line. */
import { ChunkLoader } from '../loader/chunk-loader.ts'

const loader = new ChunkLoader(__dirname, require)
loader.hold('keep-store.js')
loader.load('keep-store.js')
