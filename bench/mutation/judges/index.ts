/** Loads a judge. The judges import the engine, so each is loaded when it is asked. */

import type { Judge, JudgeName } from './judge.ts'

type JudgeModule = { readonly judge: Judge }

const modules: Readonly<Record<JudgeName, () => Promise<JudgeModule>>> = {
  scenarios: () => import('./scenarios.ts'),
  swarm: () => import('./swarm.ts'),
  'unit tests': () => import('./unit-tests.ts'),
}

export async function judgeNamed(name: JudgeName): Promise<Judge> {
  return (await modules[name]()).judge
}
