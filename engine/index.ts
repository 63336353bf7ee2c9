/** The public face of the engine. */

export { Engine, type Reader } from './engine.ts'
export type { Clock, CodeHost, Ports, TestRunner } from './ports.ts'
export { parts, runCommand, type Outcome, type Parts } from './run-command.ts'
export type { Step } from './step.ts'
export { rules, type RuleName } from './rules/index.ts'
export type { Rule } from './rules/rule.ts'

export type * from './protocol/commands.ts'
export type * from './protocol/events.ts'
export type * from './protocol/rejections.ts'

export type * from './model/state.ts'
export type { ImpactedTargets } from './model/targets.ts'
export { newQueue, type NewQueue } from './model/queue.ts'
export {
  bisectionSlots,
  configurationFields,
  configurationWith,
  targetBatchSize,
  type Configuration,
  type ConfigurationField,
} from './model/configuration.ts'
export { defaultPriority } from './commands/submit.ts'
export { isAlone, pendingInOrder, urgentPriority } from './model/pending-order.ts'
export * from './model/pull-request-state.ts'
export * from './model/queue-state.ts'
export { testKey } from './model/tests.ts'
export { groupTestingTable, type GroupTestingTable } from './bisection/group-testing.ts'

export type * from './recording/commands.ts'
export * from './recording/format.ts'
export { createdQueue, isForEngine, readInto, readQueue, writtenQueue } from './recording/queue.ts'
