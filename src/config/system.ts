/**
 * Hooks for the parts of the machine that tests replace: clock, identity, processes, disk. In the product, these hooks
 * do nothing. The test build (scripts/bundle.mjs) replaces this module with test/helpers/altered-system.ts.
 */
import type { Environment } from './environment.ts'

/** The number of milliseconds by which the store's clock is ahead of the machine's clock. */
export const clockShiftMs = (): number => 0

export const machineSource = <Source>(source: Source): Source => source

export const processTable = <Table>(table: Table): Table => table

/** Does nothing in the product. In tests, it throws an error to simulate a full disk. */
export const beforeWrite = (_path: string): void => {}

export const simulatesFullDisk = (): boolean => false

/** Additional environment variables for a supervisor. The product has no such variables. */
export const passedVariables = (_env: Environment): Environment => ({})
