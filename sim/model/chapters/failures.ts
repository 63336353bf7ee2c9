/** Chapter "Failures". */

import { begin } from '../bisection/search.ts'
import { passedOn } from '../line/verdicts.ts'
import { restartWithout } from '../line/restarts.ts'
import { prOf } from '../state/deeds.ts'
import type { Failure, Group, Model, Run } from '../state/state.ts'
import { fail } from './departures.ts'
import { holds } from '../line/predecessors.ts'

/** E-54: every pull request below it in that run has merged. */
function isItsOwn(model: Model, { run }: Failure): boolean {
  const below = run.contents.slice(0, run.contents.length - run.tested.length)
  return below.every((content) => model.branch.includes(content))
}

/** E-60: acts on the first failure that is due. True if there is one. */
export function settleFailure(model: Model): boolean {
  for (const group of model.line) {
    if (group.phase.is !== 'failed') continue
    const { failure, held } = group.phase
    if (!isItsOwn(model, failure) || !isHoldOver(model, held)) continue
    act(model, group, failure)
    return true
  }
  return false
}

function act(model: Model, group: Group, failure: Failure): void {
  const [number, ...others] = group.members
  if (number === undefined) return
  if (others.length === 0) {
    const passed = passedOn(model, model.branch)
    fail(model, number, failure.reason, 'E-60', { failure, passed })
    return
  }
  const members = group.members.map((each) => prOf(model, each))
  begin(model, group, failure)
  restartWithout(model, members, 'PREREQUISITE_MERGE_ITEM_FAILED', 'E-60, E-70')
}

/** E-57: every noted run is over. Without a note there is a hold to come if the depth says so. */
function isHoldOver(model: Model, held: { readonly noted: readonly Run[] } | null): boolean {
  if (held === null) return model.settings.pendingFailureDepth === 0
  return !held.noted.some((run) => model.mainRuns.includes(run))
}

/** E-56, E-58: notes the successors of a failure. True if there was one to note. */
export function holdFailure(model: Model): boolean {
  if (model.settings.pendingFailureDepth === 0) return false
  const due = model.line.flatMap((group) => {
    const { phase } = group
    const isDue = phase.is === 'failed' && !phase.held && isItsOwn(model, phase.failure)
    return isDue ? [{ phase, noted: successors(model, group) }] : []
  })
  const note = due.find(({ noted }) => noted.length === 0) ?? due[0]
  if (!note) return false
  note.phase.held = { since: model.at, noted: note.noted }
  return true
}

function successors(model: Model, { members }: Group): Run[] {
  const [first = 0] = members
  return model.line
    .flatMap(({ phase }) => (phase.is === 'testing' ? [phase.run] : []))
    .filter((run) => holds(model, run, first) && !run.tested.includes(first))
    .slice(0, model.settings.pendingFailureDepth)
}
