/** The scenarios that the reader can choose, from small teams to storms made of faults. */

export const teams = [
  'small-team',
  'startup-monorepo',
  'midsize-monolith',
  'monorepo-with-hubs',
  'slow-ci-with-roll-ups',
  'five-hundred-an-hour',
  'hotfix',
  'sticky-failures',
  'agents-arrive',
  'changes-that-clash',
  'stacks',
] as const

export const storms = [
  'flaky-storm',
  'release-freeze',
  'synchronised-burst',
  'storm-then-calm',
  'parallel-storm',
  'mode-switches-in-a-storm',
] as const

export type ArchetypeName = (typeof teams | typeof storms)[number]

export const archetypeNames: readonly ArchetypeName[] = [...teams, ...storms]

/** What a new reader sees. */
export const firstArchetype: ArchetypeName = 'startup-monorepo'

export function isArchetypeName(name: string): name is ArchetypeName {
  return archetypeNames.some((each) => each === name)
}
