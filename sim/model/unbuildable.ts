/** Chapter "Text conflicts": those that are found when the branch of a run is built. */

import type { ReportUnbuildable } from '../../engine/index.ts'
import { cancelRun } from './deeds.ts'
import { fail, restart } from './departures.ts'
import { groupOf } from './groups.ts'
import { setApart } from './starting.ts'
import type { Model, PullRequest, Run } from './state.ts'
import { matters } from './verdicts.ts'
import { liveOf } from './waiting.ts'

/** E-215 to E-218. False if the report contradicts what the run holds. */
export function cannotBuild(model: Model, report: ReportUnbuildable): boolean {
  const { testRun, number, conflictsWith } = report
  const run = model.runs.find(({ id }) => id === testRun)
  if (!run) return false
  const held = [...run.base, ...run.tested]
  const at = held.findIndex((each) => each.number === number)
  const one = held[at]
  const other = held.slice(0, at).find((each) => each.number === conflictsWith)
  if (!one || (conflictsWith !== 'tip' && !other)) return false
  if (isMoot(model, run)) cancelRun(model, run, 'PREREQUISITE_MERGE_ITEM_FAILED')
  else if (isDecided(model, one)) return false
  else separate(model, one, run.of || other?.state === 'MERGED' ? undefined : other)
  return true
}

/** E-85. */
const isMoot = ({ bisections }: Model, run: Run): boolean =>
  run.of !== null && !(bisections.includes(run.of) && matters(run.of, run))

/** E-218: it has merged or left, or the host is merging it. */
const isDecided = (model: Model, one: PullRequest): boolean =>
  liveOf(model, one.number) !== one || groupOf(model, one)?.phase.merging?.includes(one) === true

function separate(model: Model, one: PullRequest, other?: PullRequest): void {
  const group = groupOf(model, one)
  if (!group) return fail(model, one, 'START_TEST_RUN_MERGE_CONFLICT')
  restart(model, group, 'PREREQUISITE_MERGE_ITEM_FAILED')
  setApart(model, groupOf(model, one) ?? group, one, other)
}
