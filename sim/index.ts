/**
 * The simulator as a library, `mergeyard/sim`: scenarios in, result documents out, with properties
 * that watch every step.
 */

export {
  simulateScenario as simulate,
  type SimulateScenarioOptions as SimulateOptions,
} from './judge/run-scenario.ts'

export type { Scenario, ScenarioEvent, PullRequestEntry, Traffic } from './scenario/scenario.ts'
export { checkScenario, parseScenario } from './scenario/check.ts'
export { loadScenario } from './scenario/load.ts'
export { BadInput } from '../server/terminal/bad-input.ts'
export { swarmScenario } from './swarm/swarm.ts'

export type { Check, ObservedRun, Property, RunFacts, Violation } from './observe/property.ts'
export type { Handlers, Point, SeenStep, Step } from './steps/step.ts'
export type { Ledger } from './ledger/ledger.ts'
export type { PropertyResult } from './observe/findings.ts'
export { properties } from './properties/index.ts'

export type * from './result/result-document.ts'
