/**
 * Hooks for the parts of the machine that tests change: clock, identity, processes, disk. This module changes nothing.
 * The test build (scripts/bundle.mjs) replaces it with test/helpers/altered-system.ts.
 */
import type { Environment } from './environment.ts'

/** How far the store's clock is ahead of the machine's. */
export const clockShiftMs = (): number => 0

export const machineSource = <Source>(source: Source): Source => source

export const processTable = <Table>(table: Table): Table => table

/** In tests, throws when a full disk is simulated. */
export const beforeWrite = (_path: string): void => {}

export const simulatesFullDisk = (): boolean => false

/** Variables that a supervisor gets in addition to those of its agent. */
export const passedVariables = (_env: Environment): Environment => ({})
