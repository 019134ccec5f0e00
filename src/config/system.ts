/**
 * The parts of the machine that a test may alter: its clock, identity, processes and disk. This module alters nothing.
 * The test build (scripts/bundle.mjs) replaces it with test/helpers/altered-system.ts.
 */
import type { Environment } from './environment.ts'

/** How far the store's clock is ahead of the machine's. */
export const clockShiftMs = (): number => 0

export const machineSource = <Source>(source: Source): Source => source

export const processTable = <Table>(table: Table): Table => table

/** Throws if the disk of a run's files is to be full. */
export const beforeWrite = (_path: string): void => {}

export const isDiskFull = (): boolean => false

/** Variables that a supervisor gets beside those of its agent. */
export const passedVariables = (_env: Environment): Environment => ({})
