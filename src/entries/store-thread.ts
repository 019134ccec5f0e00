/** Starts the store thread, from the same chunks as the command line. */
import { ChunkLoader } from '../loader/chunk-loader.ts'

new ChunkLoader(__dirname, require).load('keep-store.js')
