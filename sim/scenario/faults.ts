/** How the test runner and the code host of a scenario work, and their faults. */

/** How the code host works, apart from its faults. */
export type ScenarioCodeHost = {
  readonly landsGroups?: boolean
  readonly conflictsFoundByBuild?: boolean
}

export type Faults = {
  readonly lostRunRate?: number
  readonly duplicateResultRate?: number
  readonly contradictoryResultRate?: number
  readonly lateResultMinutes?: number
  readonly hangRate?: number
  readonly mergeRefusedRate?: number
  readonly mergeConflictRate?: number
  readonly mergePushedRate?: number
  readonly branchMovedRate?: number
  readonly partialPushRate?: number
  readonly mergeMinutes?: number
  readonly outages?: readonly { readonly from: number; readonly minutes: number }[]
  readonly crashRate?: number
  readonly lostCommandRate?: number
}
