/**
 * Hooks for the parts of the machine that tests replace: clock, identity, processes, disk. The hooks in this module
 * change nothing. The test build (scripts/bundle.mjs) replaces the module with test/helpers/altered-system.ts.
 */
import type { Environment } from './environment.ts'

/** How many milliseconds the store's clock is ahead of the machine's clock. */
export const clockShiftMs = (): number => 0

export const machineSource = <Source>(source: Source): Source => source

export const processTable = <Table>(table: Table): Table => table

/** Does nothing here. In tests it throws while a full disk is simulated. */
export const beforeWrite = (_path: string): void => {}

export const simulatesFullDisk = (): boolean => false

/** Environment variables that a supervisor gets in addition to those of its agent. */
export const passedVariables = (_env: Environment): Environment => ({})
