/** Priorities by name. */

const byName = { urgent: 0, high: 10, medium: 100, low: 200 } as const

export type PriorityName = keyof typeof byName

export function priorityValue(priority: number | PriorityName): number {
  return typeof priority === 'number' ? priority : byName[priority]
}

const names: ReadonlyMap<number, string> = new Map(
  Object.entries(byName).map(([name, value]) => [value, name]),
)

/** The name of a priority value; the number as text if it has no name. */
export function nameOfPriority(value: number): string {
  return names.get(value) ?? String(value)
}
