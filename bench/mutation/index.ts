/** What a soak needs to judge mutants. */

export { judgeNames } from './judges/judge.ts'
export { chosen } from './mutants/chosen.ts'
export { engineMutants } from './mutants/engine-files.ts'
export { readEquivalents, sorted } from './mutants/equivalents.ts'
export { judgeAll } from './process/judge-all.ts'
export { refusedByTypes } from './types/refused.ts'
export { idOf } from './verdicts/document.ts'
