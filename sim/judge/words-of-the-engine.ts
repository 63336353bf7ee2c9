/** What the engine does, in the lines of text in which it is compared with the model. */

import type { Event, EventOf, TestRun } from '../../engine/index.ts'
import { nameOf } from '../model/commands.ts'
import {
  cancelled,
  held,
  lifeOf,
  said,
  textOfEvidence,
  textOfQuarantine,
  textOfRun,
  textOfStart,
  type Said,
} from './words.ts'

function moveOf(event: EventOf<'pullRequestMoved'>): Said[] {
  const { number, from, to, reason, evidence, leftWith, quarantined = [] } = event
  const { failedIn = null, failedTests = [], passedWithout = null } = evidence ?? {}
  const shown = textOfEvidence({ failedIn, tests: failedTests.map(nameOf), passedWithout })
  const text = `${from} to ${to} (${reason ?? 'no reason'})`
  if (leftWith !== undefined) return lifeOf(number, to, `${text} with ${leftWith}`)
  return lifeOf(number, to, to === 'FAILED' ? text + shown : text + textOfQuarantine(quarantined))
}

/** What happens to a run, or to the group whose last run it was. */
function ofRun(
  event: EventOf<'testRunStarted' | 'testRunCancelled' | 'holdStarted'>,
  runs: Map<number, TestRun>,
): Said {
  if (event.type === 'testRunStarted') {
    const { run } = event
    const { kind } = run.owner
    runs.set(run.id, run)
    return said(`${kind} runs`, textOfStart(kind, run), run.tested)
  }
  if (event.type === 'testRunCancelled') {
    const run = runs.get(event.testRun)
    const text = run ? textOfRun(run.owner.kind, run) : 'an unknown run'
    return cancelled(text, event.cause, run?.tested ?? [])
  }
  const failed = [...runs.values()].findLast(
    ({ owner }) => owner.kind === 'main' && owner.group === event.group,
  )
  return held(failed?.id ?? 0, event.heldUntil)
}

/** What the engine says. `runs` knows every run so far, and learns the new ones. */
export function wordsOfTheEngine(event: Event, runs: Map<number, TestRun>): Said[] {
  const { type } = event
  if (type === 'pullRequestSubmitted') {
    return lifeOf(event.number, event.state, `submitted, ${event.state}`)
  }
  if (type === 'pullRequestMoved') return moveOf(event)
  if (type === 'testRunStarted' || type === 'testRunCancelled' || type === 'holdStarted') {
    return [ofRun(event, runs)]
  }
  if (type === 'testRunSaved') return [said('saved runs', `saved run ${event.testRun}`)]
  if (type === 'queueStateChanged') return [said('queue', `queue ${event.from} to ${event.to}`)]
  if (type === 'mergeRequested') {
    const { numbers = [event.number] } = event
    return [said('merge requests', `request the merge of ${numbers.join(' ')}`, numbers)]
  }
  if (type !== 'tipMoved') return []
  return [said('branch', event.number === null ? 'push' : `merge ${event.number}`)]
}
