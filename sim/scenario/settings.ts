/** `--set path=value`: any field of a scenario, overridden. */

import { BadInput, shown, type InputFault } from './bad-input.ts'
import { checkScenario } from './load.ts'
import type { Scenario } from './scenario.ts'

/**
 * The scenario with each `path=value` written into it, in order. The path is dotted, with indexes
 * into lists; the value is JSON where it parses, else text. The result is checked like a file.
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
      { where: setting, expected: 'path=value, like queue.concurrency=4', came: shown(setting) },
    ])
  }
  return written(document, path.split('.'), { path, value: valueOf(setting.slice(cut + 1)) })
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

type Assignment = { readonly path: string; readonly value: unknown }

/** A copy with the value at the path. An object on the way that is not there yet is made. */
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

function noPath(path: string, expected: string, came: string): BadInput {
  const fault: InputFault = { where: path, expected, came: shown(came) }
  return new BadInput('--set', [fault])
}
