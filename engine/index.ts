/** The public interface of the engine: other folders import only from here. */

export { Engine, type EngineSubscriber } from './engine.ts'
export type { Clock, CodeHost, Ports, TestRunner } from './engine.ts'
export { engineParts, runCommand, type CommandOutcome, type EngineParts } from './engine.ts'
export type { Rule, Step } from './evolve/step.ts'
export { rules, type RuleName } from './rules/index.ts'

export type * from './protocol/commands.ts'
export type * from './protocol/events.ts'

export type * from './model/state.ts'
export { waitsForDependency } from './line/moves.ts'
export { beingMerged, isBeingMerged, isPushedToWhileMerging } from './model/predecessors.ts'
export { firstIndex } from './model/first-index.ts'
export { groupsInLine, groupWith, hasBegunToMerge, isLeftOut } from './model/predecessors.ts'
export { canFollow, dependentsOf, isInQueue, missingOf, turnOf } from './model/stack.ts'
export { type ImpactedTargets, sharesTarget } from './model/targets.ts'
export { newQueue, type NewQueue } from './model/queue.ts'
export {
  bisectionSlots,
  configurationFields,
  configurationWith,
  removedSettings,
  targetBatchSize,
  upgraded,
  type Configuration,
  type ConfigurationField,
} from './model/configuration.ts'
export { forgettable } from './commands/queue.ts'
export { isOtherContent } from './model/content.ts'
export { defaultPriority, isTestedWithOthers } from './commands/pull-request.ts'
export { isAlone, pendingInOrder, urgentPriority } from './model/pending-order.ts'
export * from './model/pull-request.ts'
export * from './model/queue-state.ts'
export {
  isInForce,
  quarantineLimit,
  quarantineProposals,
  type QuarantineProposal,
} from './model/quarantine.ts'
export { testKey } from './model/ids.ts'
export { deciding, testsTip, thresholds, type Deciding } from './model/policy.ts'
export { failureOfTip, tipRunOf } from './model/tip-test.ts'
export { failuresBefore } from './rules/merge.ts'
export { retryAfterMinutes } from './transitions/end-run.ts'
export { groupTestingTable, type GroupTestingTable } from './bisection/group-testing.ts'

export type * from './recording/commands.ts'
export * from './recording/format.ts'
export {
  createdQueue,
  isForEngine,
  readInto,
  readQueue,
  serializedQueue,
} from './recording/queue.ts'
export {
  isCheckedLine,
  linesIn,
  linkSegments,
  textOf,
  type Crc32,
  type Json,
  type Line,
  type LinkedSegment,
} from './recording/lines.ts'
export {
  readSegment,
  readSegmentHeader,
  type ReadUpTo,
  type SegmentStart,
} from './recording/reading.ts'
export { readSnapshot, readSnapshotHeader } from './recording/reading.ts'

export { jsonPointer, schemaFaults, type SchemaError } from './documents/schema-faults.ts'
