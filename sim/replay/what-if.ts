/** Runs the scenario of a recording with the recorded settings and with changed settings. */

import { runAndJudge, type JudgedRun } from '../judge/run-and-judge.ts'
import { properties } from '../properties/index.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { applySettings } from '../scenario/settings.ts'
import { scenarioOf } from './derive.ts'
import type { Recording } from './recording.ts'
import { overriddenBy } from './settings.ts'
import type { RecordedHistory } from './recorded-history.ts'

export type WhatIf = { readonly baseline: JudgedRun; readonly tried: JudgedRun }

/** The scenario derived from a recording, with the settings applied. */
export function derivedScenario(
  recording: Recording,
  history: RecordedHistory,
  settings: readonly string[],
): Scenario {
  return applySettings(scenarioOf(recording, history, overriddenBy(settings)), settings)
}

/**
 * Runs the scenario with the recorded settings, to show how close it is to the recording, and with
 * the changed ones.
 */
export function tryOut(
  recording: Recording,
  history: RecordedHistory,
  settings: readonly string[],
): WhatIf {
  const baseline = derivedScenario(recording, history, [])
  const tried = derivedScenario(recording, history, settings)
  return {
    baseline: runAndJudge(baseline, { properties, once: true }),
    tried: runAndJudge(tried, { properties, once: false }),
  }
}
