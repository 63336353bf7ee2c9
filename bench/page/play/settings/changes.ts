/** What the reader has changed of today's setting. */

import type { Scenario } from '../../../../sim/scenario/scenario.ts'
import { namesIn } from '../../../queues/names-in.ts'
import { shellWord } from '../../../../server/terminal/text.ts'
import { fields, type FieldName } from './fields.ts'

/** Only values that differ from today's. */
export type Changes = { readonly [Name in FieldName]?: number }

/** What the page shows beside today's setting before the reader has changed anything. */
export const changesAtFirst: Changes = { adaptive: 1 }

export const fieldNames = namesIn(fields)

/** The scenario with the changes; the same scenario if there are none. */
export function changed(today: Scenario, changes: Changes): Scenario {
  return fieldNames.reduce((scenario, name) => {
    const value = changes[name]
    if (value === undefined || fields[name].read(today) === null) return scenario
    return fields[name].write(scenario, value)
  }, today)
}

/** The changes with one more value; a value that is today's is no change. */
export function withChange(
  today: Scenario,
  changes: Changes,
  [name, value]: readonly [FieldName, number],
): Changes {
  const now = allowed(name, value)
  return without(today, { ...changes, ...pulledAlong(changes, name, now), [name]: now })
}

/** A slow run is not shorter than half of the runs: who moves one past the other takes it along. */
function pulledAlong({ median, p95 }: Changes, name: FieldName, now: number): Changes {
  if (name === 'median' && p95 !== undefined && p95 < now) return { p95: now }
  if (name === 'p95' && median !== undefined && median > now) return { median: now }
  return {}
}

/** The changes without those that are today's value. */
function without(today: Scenario, changes: Changes): Changes {
  const kept: { -readonly [Name in FieldName]?: number } = {}
  for (const name of fieldNames) {
    const value = changes[name]
    if (value !== undefined && value !== fields[name].read(today)) kept[name] = value
  }
  return kept
}

/** The nearest value that the field allows. */
export function allowed(name: FieldName, value: number): number {
  const { range, step } = fields[name]
  const [least, , most] = range
  const within = Math.min(most, Math.max(least, value))
  // A step of 0.1 must not give 1.2000000000000002.
  return Math.round(Math.round(within / step) * step * 1000) / 1000
}

/** The changes as a patch of the file: path and value for `--set`. */
export function settingsOf(today: Scenario, changes: Changes): string[] {
  const before = new Map(partsOf(today))
  return partsOf(changed(today, changes)).flatMap(([path, value]) =>
    before.get(path) === value ? [] : `${path}=${value}`,
  )
}

/** What stands in a scenario and in its sections, as JSON. */
function partsOf(scenario: Scenario): [path: string, value: string][] {
  return Object.entries(scenario).flatMap(([name, part]: [string, unknown]) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.entries(part).map(([key, value]): [string, string] => [
          `${name}.${key}`,
          JSON.stringify(value),
        ])
      : [[name, JSON.stringify(part)]],
  )
}

// The command that simulates the same in a terminal, and prints the hash of the trace.

/** `file` is the path of the scenario, `settings` are values for `--set`. */
export function simCommand(file: string, settings: readonly string[]): string {
  const set = settings.map((setting) => ` --set ${shellWord(setting)}`)
  return `npm run -s sim -- ${shellWord(file)}${set.join('')} --json --no-report`
}
