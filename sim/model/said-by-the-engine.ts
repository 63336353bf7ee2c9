/** What the engine did, in the words of the model. */

import type { Event, TestRun } from '../../engine/index.ts'
import { textOfRun } from './state/deeds.ts'

export type Said = {
  readonly subject: string
  readonly text: string
  readonly sequence: number
  readonly run: TestRun | null
  readonly numbers: readonly number[]
}

/** The deeds of a step. `runs` knows every run that has started; it learns the new ones. */
export function saidBy(
  events: readonly Event[],
  before: number,
  runs: Map<number, TestRun>,
): Said[] {
  return events.flatMap((event, at) => {
    const all = deedsOf(event, runs)
    return all.map((each) => ({ run: null, numbers: [], ...each, sequence: before + at + 1 }))
  })
}

type Words = Pick<Said, 'subject' | 'text'> & Partial<Said>

function deedsOf(event: Event, runs: Map<number, TestRun>): Words[] {
  switch (event.type) {
    case 'pullRequestSubmitted':
      return [moved(event.number, `submitted, ${event.state}`)]
    case 'pullRequestMoved':
      return movesOf(event)
    case 'testRunStarted':
      runs.set(event.run.id, event.run)
      return [startOf(event.run)]
    case 'testRunCancelled': {
      const run = runs.get(event.testRun)
      const text = `cancel ${run ? textOf(run) : 'an unknown run'} (${event.cause})`
      return [{ subject: text, text, numbers: run?.tested ?? [] }]
    }
    case 'mergeRequested': {
      const text = `request the merge of ${event.number}`
      return [{ subject: 'merge requests', text, numbers: [event.number] }]
    }
    case 'tipMoved':
      return [{ subject: 'branch', text: event.number === null ? 'push' : `merge ${event.number}` }]
    case 'testRunSaved':
      return [{ subject: 'saved runs', text: `saved run ${event.testRun}` }]
    case 'queueStateChanged':
      return [{ subject: 'queue', text: `queue ${event.from} to ${event.to}` }]
    default:
      return []
  }
}

const moved = (number: number, text: string): Words => ({
  subject: `pull request ${number}`,
  text: `${number}: ${text}`,
  numbers: [number],
})

function movesOf(event: Extract<Event, { type: 'pullRequestMoved' }>): Words[] {
  const { number, from, to, reason } = event
  const details = to === 'FAILED' ? evidenceOf(event) : ''
  const move = moved(number, `${from} to ${to} (${reason ?? 'no reason'})${details}`)
  const isEnd = to === 'MERGED' || to === 'FAILED' || to === 'CANCELLED'
  const numbers = [number]
  return isEnd ? [move, { subject: 'departures', text: `${number} ${to}`, numbers }] : [move]
}

function evidenceOf({ evidence }: Extract<Event, { type: 'pullRequestMoved' }>): string {
  if (!evidence) return ', without evidence'
  const { failedIn, passedWithout, failedTests } = evidence
  if (failedIn === null) return ', failed in no run'
  const tests = failedTests.map(({ name, file = '' }) => (file === '' ? name : `${file} > ${name}`))
  return `, failed in run ${failedIn} [${tests.join(', ')}], passed in run ${passedWithout ?? 'none'}`
}

function startOf(run: TestRun): Words {
  return { subject: `${run.owner.kind} runs`, text: textOf(run), run, numbers: run.tested }
}

const textOf = ({ owner, tip, base, tested }: TestRun): string =>
  textOfRun({ of: owner.kind, tip, base, tested })
