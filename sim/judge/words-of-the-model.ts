/** What the model expects, in the lines of text in which the engine says what it does. */

import type { Deed, PullRequest, Run } from '../model/state.ts'
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

export function wordsOfTheModel(deed: Deed): Said[] {
  if (deed.is === 'move') return moveOf(deed)
  if (deed.is === 'submission') return lifeOf(deed.number, deed.to, `submitted, ${deed.to}`)
  if (deed.is === 'save') return [said('saved runs', `saved run ${deed.run.id}`)]
  if (deed.is === 'hold') return [held(deed.run.id, deed.until)]
  if (deed.is === 'queue') return [said('queue', `queue ${deed.from} to ${deed.to}`)]
  if (deed.is === 'commit') {
    return [said('branch', deed.number === null ? 'push' : `merge ${deed.number}`)]
  }
  if (deed.is === 'request') {
    const numbers = numbersOf(deed.merging)
    return [said('merge requests', `request the merge of ${numbers.join(' ')}`, numbers)]
  }
  const { run } = deed
  const tested = numbersOf(run.tested)
  const { id, tip, attempt, deadline } = run
  const shown = { id, tip, attempt, deadline, base: numbersOf(run.base), tested }
  if (deed.is === 'cancel') {
    return [cancelled(textOfRun(kindOf(run), shown), deed.cause, tested)]
  }
  return [said(`${kindOf(run)} runs`, textOfStart(kindOf(run), shown), tested)]
}

function moveOf(deed: Extract<Deed, { is: 'move' }>): Said[] {
  const { number, from, to, reason, evidence, leftWith, despite } = deed
  const { failure, passed } = evidence ?? {}
  const [failedIn, passedWithout] = [failure?.run.id ?? null, passed?.run.id ?? null]
  const shown = textOfEvidence({ failedIn, tests: failure?.tests ?? [], passedWithout })
  const text = `${from} to ${to} (${reason ?? 'no reason'})`
  if (to === 'CANCELLED' && leftWith !== null) return lifeOf(number, to, `${text} with ${leftWith}`)
  return lifeOf(number, to, to === 'FAILED' ? text + shown : text + textOfQuarantine(despite))
}

const kindOf = ({ of, isOfTip }: Run): 'main' | 'bisection' | 'tip' =>
  isOfTip ? 'tip' : of ? 'bisection' : 'main'

const numbersOf = (all: readonly PullRequest[]): number[] => all.map(({ number }) => number)
