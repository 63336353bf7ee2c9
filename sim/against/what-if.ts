/** What would have happened: the recorded pull requests again, as they were set and otherwise. */

import { runAndJudge, type JudgedRun } from '../command-line/run-file.ts'
import { properties } from '../properties/index.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { applySettings } from '../scenario/settings.ts'
import { scenarioOf } from './derive.ts'
import type { Recording } from './recording.ts'
import { overriddenBy } from './settings.ts'
import type { Witness } from './witness.ts'

export type WhatIf = { readonly asItWas: JudgedRun; readonly tried: JudgedRun }

/** The scenario of a recording, settings applied. */
export function derivedScenario(
  recording: Recording,
  witness: Witness,
  settings: readonly string[],
): Scenario {
  return applySettings(scenarioOf(recording, witness, overriddenBy(settings)), settings)
}

/** Runs it as it was set, to see how good a likeness it is, and as it is to be tried. */
export function tryOut(
  recording: Recording,
  witness: Witness,
  settings: readonly string[],
): WhatIf {
  const asItWas = derivedScenario(recording, witness, [])
  const tried = derivedScenario(recording, witness, settings)
  return {
    asItWas: runAndJudge(asItWas, { properties, once: true }),
    tried: runAndJudge(tried, { properties, once: false }),
  }
}
