/** The lines of text in which the model and the engine are compared. */

import type { Event, EventOf, TestName, TestRun } from '../../engine/index.ts'
import type { Deed } from './state.ts'

export const deed = (subject: string, text: string, numbers: readonly number[] = []): Deed => {
  return { subject, text, numbers }
}

/** What happened to one pull request. Departures also have an order among themselves. */
export function lifeOf(number: number, to: string, text: string): Deed[] {
  const life = deed(`pull request ${number}`, `${number}: ${text}`, [number])
  const isEnd = to === 'MERGED' || to === 'FAILED' || to === 'CANCELLED'
  return isEnd ? [life, deed('departures', `${number} ${to}`, [number])] : [life]
}

type Tested = Pick<TestRun, 'tip' | 'base' | 'tested'>

/** What a run tests: "7 commits 1 2 > 3" is 3 on top of 1, 2 and the seventh commit. */
export const textOfRun = (kind: 'main' | 'bisection', { tip, base, tested }: Tested): string =>
  `${kind} run on ${[tip, 'commits', ...base, '>', ...tested].join(' ')}`

/** The evidence of a pull request that is FAILED (E-21). */
export function textOfEvidence(
  failedIn: number | null,
  tests: readonly string[],
  passedWithout: number | null,
): string {
  if (failedIn === null) return ', failed in no run'
  return `, failed in run ${failedIn} [${tests.join(', ')}], passed in run ${passedWithout ?? 'none'}`
}

export const nameOf = ({ name, file = '' }: TestName): string =>
  file === '' ? name : `${file} > ${name}`

/** What the engine did in a step. `runs` knows every run so far, and learns the new ones. */
export function saidBy(events: readonly Event[], runs: Map<number, TestRun>): Deed[] {
  return events.flatMap((event) => wordsOf(event, runs))
}

function wordsOf(event: Event, runs: Map<number, TestRun>): Deed[] {
  switch (event.type) {
    case 'pullRequestSubmitted':
      return lifeOf(event.number, event.state, `submitted, ${event.state}`)
    case 'pullRequestMoved':
      return moveOf(event)
    case 'testRunStarted': {
      const { run } = event
      runs.set(run.id, run)
      const text = textOfRun(run.owner.kind, run)
      return [{ ...deed(`${run.owner.kind} runs`, text, run.tested), run }]
    }
    case 'testRunCancelled': {
      const run = runs.get(event.testRun)
      const what = run ? textOfRun(run.owner.kind, run) : 'an unknown run'
      const text = `cancel ${what} (${event.cause})`
      return [deed(text, text, run?.tested)]
    }
    case 'testRunSaved':
      return [deed('saved runs', `saved run ${event.testRun}`)]
    case 'queueStateChanged':
      return [deed('queue', `queue ${event.from} to ${event.to}`)]
    case 'mergeRequested':
      return [deed('merge requests', `request the merge of ${event.number}`, [event.number])]
    case 'tipMoved':
      return [deed('branch', event.number === null ? 'push' : `merge ${event.number}`)]
    default:
      return []
  }
}

function moveOf({ number, from, to, reason, evidence }: EventOf<'pullRequestMoved'>): Deed[] {
  const text = `${from} to ${to} (${reason ?? 'no reason'})`
  if (to !== 'FAILED') return lifeOf(number, to, text)
  if (!evidence) return lifeOf(number, to, `${text}, without evidence`)
  const { failedIn, failedTests, passedWithout } = evidence
  return lifeOf(number, to, text + textOfEvidence(failedIn, failedTests.map(nameOf), passedWithout))
}
