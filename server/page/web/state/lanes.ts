/**
 * The line as lanes. In parallel mode groups that are tested on top of each other are one lane; in single
 * mode all groups are one.
 */

import type { GroupRow, QueueHead } from '../../frame.ts'

export type Lane = {
  readonly groups: readonly PlacedGroup[]
}

export type PlacedGroup = {
  readonly group: GroupRow
  /** How many groups at most stand one on top of the other below it; its column. */
  readonly depth: number
  /** The groups directly below it: those that it depends on, without those below these. */
  readonly below: readonly GroupRow[]
}

export function lanesOf(groups: readonly GroupRow[], mode: QueueHead['mode']): Lane[] {
  if (mode === 'single') {
    const placed = groups.map((group, depth) => ({
      group,
      depth,
      below: depth === 0 ? [] : groups.slice(depth - 1, depth),
    }))
    return placed.length === 0 ? [] : [{ groups: placed }]
  }
  return components(groups).map((lane) => ({ groups: placedIn(lane) }))
}

const mostNamed = 3

/** What a lane is about: the targets that most of its groups have; empty for those who may not see them. */
export function targetsOf({ groups }: Lane): string {
  const counts = new Map<string, number>()
  for (const name of groups.flatMap(({ group }) => group.targets ?? []))
    counts.set(name, (counts.get(name) ?? 0) + 1)
  const names = [...counts].toSorted(([, a], [, b]) => b - a).map(([name]) => name)
  const shown = names.slice(0, mostNamed).join(', ')
  return names.length > mostNamed ? `${shown} and others` : shown
}

/** Returns the groups that are connected, each set in the order of the line. */
function components(groups: readonly GroupRow[]): GroupRow[][] {
  const laneOf = new Map<number, GroupRow[]>()
  for (const group of groups) {
    const below = group.dependsOn.flatMap((id) => [laneOf.get(id) ?? []])
    const lane = [...new Set(below.flat()), group]
    for (const { id } of lane) laneOf.set(id, lane)
  }
  return [...new Set(groups.flatMap(({ id }) => [laneOf.get(id) ?? []]))]
}

function placedIn(lane: readonly GroupRow[]): PlacedGroup[] {
  const depths = new Map<number, number>()
  return lane.map((group) => {
    const below = lane.filter(({ id }) => group.dependsOn.includes(id))
    const depth = Math.max(-1, ...below.map(({ id }) => depths.get(id) ?? 0)) + 1
    depths.set(group.id, depth)
    const further = new Set(below.flatMap(({ dependsOn }) => dependsOn))
    return { group, depth, below: below.filter(({ id }) => !further.has(id)) }
  })
}
