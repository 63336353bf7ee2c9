/** `--set path=value`: overrides any field of a scenario. */

import { BadInput, shown, type InputFault } from '../../server/terminal/bad-input.ts'
import { checkScenario } from './check.ts'
import type { Scenario } from './scenario.ts'

/**
 * Returns the scenario with each `path=value` applied, in order. The path is dotted, with indexes
 * into lists. The value is JSON if it parses, else text. The result is checked like a file: throws
 * `BadInput` if it is not a valid scenario.
 */
export function applySettings(scenario: Scenario, settings: readonly string[]): Scenario {
  let document: unknown = scenario
  for (const setting of settings) document = applied(document, setting)
  return settings.length === 0 ? scenario : checkScenario(document, '--set')
}

function applied(document: unknown, setting: string): unknown {
  const cut = setting.indexOf('=')
  const path = setting.slice(0, Math.max(cut, 0))
  if (path === '') {
    throw new BadInput('--set', [
      { where: setting, expected: 'path=value, like queue.concurrency=4', actual: shown(setting) },
    ])
  }
  return written(document, path.split('.'), { path, value: valueOf(setting.slice(cut + 1)) })
}

export function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

type Assignment = { readonly path: string; readonly value: unknown }

/** Returns a copy with the value at the path. Creates missing objects on the path. */
function written(document: unknown, parts: readonly string[], assignment: Assignment): unknown {
  const [part, ...rest] = parts
  if (part === undefined) return assignment.value
  if (Array.isArray(document)) {
    if (!/^\d+$/.test(part) || Number(part) >= document.length) {
      throw noPath(assignment.path, `an index below ${document.length}`, part)
    }
    return document.with(Number(part), written(document[Number(part)], rest, assignment))
  }
  if (document !== undefined && (typeof document !== 'object' || document === null)) {
    throw noPath(assignment.path, `nothing below ${shown(document)}`, part)
  }
  const before: Readonly<Record<string, unknown>> = { ...document }
  return { ...before, [part]: written(before[part], rest, assignment) }
}

function noPath(path: string, expected: string, actual: string): BadInput {
  const fault: InputFault = { where: path, expected, actual: shown(actual) }
  return new BadInput('--set', [fault])
}
